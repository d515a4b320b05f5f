import { Aws, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { LambdaFunction } from './lambda-function.ts';
import { ENDING, paginate, READING } from './sensor-permissions.ts';
import type { Statement } from './sensor-permissions.ts';

export interface SensorPoliciesProps {
  /** ARN patterns that sensors may read. */
  readonly allow: readonly string[];
  /** Whether removing a task may end what it watches. */
  readonly allowCancel: boolean;
}

/** Managed policies that a role may have. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MAX_POLICIES = 10;

/**
 * What functions may do outside of the service: what the sensors declare, within what the operator allows. Managed
 * policies, which all functions that poke share: the policies inside of a role have room for a hundred buckets or so
 * (docs/adr/0021).
 */
export class SensorPolicies extends Construct {
  private readonly reading: readonly ManagedPolicy[];
  private readonly ending: readonly ManagedPolicy[];

  /** @throws Error where `allow` has more patterns than the policies of a role can hold. */
  constructor(scope: Construct, id: string, { allow, allowCancel }: SensorPoliciesProps) {
    super(scope, id);
    const reading = paginate(READING, allow);
    const ending = allowCancel ? paginate(ENDING, allow) : [];
    const count = reading.length + ending.length;
    if (count > MAX_POLICIES) {
      throw new Error(
        `allow: its ${allow.length} ARN patterns take ${count} managed policies, and a role has ${MAX_POLICIES} at most; ` +
          'open several buckets by one pattern, such as arn:aws:s3:::team-*',
      );
    }
    this.reading = reading.map((page, index) =>
      this.policy(`Read${index + 1}`, page, {
        description: 'Sensorium: what sensors may read',
        reason: 'Sensors read what the operator opened (allow), and nothing else.',
      }),
    );
    this.ending = ending.map((page, index) =>
      this.policy(`End${index + 1}`, page, {
        description: 'Sensorium: what users may end of what they watch',
        reason: 'The operator lets users end what they watch (allowCancel), within allow.',
      }),
    );
  }

  /** Allows a function what the pokes of sensors need. */
  grantRead({ role }: LambdaFunction): void {
    for (const policy of this.reading) role.addManagedPolicy(policy);
  }

  /** Allows a function what ending the watched work needs; nothing, unless the operator opted in to it. */
  grantEnd({ role }: LambdaFunction): void {
    for (const policy of this.ending) role.addManagedPolicy(policy);
  }

  private policy(
    id: string,
    page: readonly Statement[],
    { description, reason }: { readonly description: string; readonly reason: string },
  ): ManagedPolicy {
    const statements = page.map(
      ({ actions, resources }) =>
        new PolicyStatement({
          actions: [...actions],
          resources: resources.map((arn) => inPartition(arn, Aws.PARTITION)),
        }),
    );
    const policy = new ManagedPolicy(this, id, { description, statements });
    for (const arn of new Set(page.flatMap(({ resources }) => resources))) {
      if (!arn.includes('*')) continue;
      Validations.of(policy).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${inPartition(arn, '<AWS::Partition>')}]`,
        reason,
      });
    }
    return policy;
  }
}

/** Sensors, and operators who say `*`, mean the partition of the account. */
function inPartition(arn: string, partition: string): string {
  return arn.replace(/^arn:\*:/u, `arn:${partition}:`);
}
