import { Duration, Names, Stack } from 'aws-cdk-lib';
import type { EventPattern, IRuleTarget } from 'aws-cdk-lib/aws-events';
import { Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import { CLUSTER_CHANGED, OBJECT_CREATED, STEP_CHANGED, STEP_ENDS } from '../functions/sensors/event-patterns.ts';
import { DeadLetters } from './dead-letters.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import { objectDetails } from './object-events.ts';
import type { ObjectDetail } from './object-events.ts';
import type { TaskTable } from './task-table.ts';

export interface AcceleratorProps extends HouseProps {
  readonly table: TaskTable;
  /** Pokes smart targets at once. */
  readonly firstPoke: LambdaFunction<'shard-worker'>;
  /** Pokes deferrable targets at once. */
  readonly deferral: LambdaFunction<'deferral'>;
  /** ARN patterns that sensors may read: of other objects no event is of use. */
  readonly allow: readonly string[];
}

/** What is older is left to the cadence. */
const MAX_AGE = Duration.minutes(5);
const RETRIES = 2;

interface RuleOf {
  readonly description: string;
  readonly eventPattern: EventPattern;
}

/**
 * Characters of an event pattern; AWS takes 2,048, and perhaps counts white space that is put between them.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html
 */
const MAX_PATTERN = 1900;

function objectPattern(detail: ObjectDetail): EventPattern {
  const hasDetail = Object.keys(detail).length > 0;
  return {
    source: [OBJECT_CREATED.source],
    detailType: [OBJECT_CREATED.detailType],
    ...(hasDetail && { detail: { ...detail } }),
  };
}

/** @returns the rules for objects, as many as their patterns need; none where no bucket is allowed. */
function objectRules(allow: readonly string[]): Readonly<Record<string, RuleOf>> {
  const fits = (detail: ObjectDetail): boolean => JSON.stringify(objectPattern(detail)).length <= MAX_PATTERN;
  const rules = objectDetails(allow, fits).map((detail, index): [string, RuleOf] => [
    `Objects${index + 1}`,
    {
      description: 'Sensorium: an object is there; of buckets that send their events to EventBridge',
      eventPattern: objectPattern(detail),
    },
  ]);
  return Object.fromEntries(rules);
}

/** Rules by name, and what they are for. Steps that go on end no wait. */
const RULES: Readonly<Record<string, RuleOf>> = {
  Steps: {
    description: 'Sensorium: a step of an EMR cluster has ended',
    eventPattern: {
      source: [STEP_CHANGED.source],
      detailType: [STEP_CHANGED.detailType],
      detail: { state: [...STEP_ENDS] },
    },
  },
  Clusters: {
    description: 'Sensorium: an EMR cluster has another state',
    eventPattern: { source: [CLUSTER_CHANGED.source], detailType: [CLUSTER_CHANGED.detailType] },
  },
};

/**
 * Events as accelerator (DESIGN, section 6): what AWS tells on the default bus has the targets that wait for it poked at
 * once (docs/adr/0015). Without it every wait ends as well, by its next poke.
 */
export class Accelerator extends Construct {
  readonly events: LambdaFunction<'events'>;
  readonly failures: DeadLetters;

  constructor(scope: Construct, id: string, props: AcceleratorProps) {
    super(scope, id);
    const { table, firstPoke, deferral, logRetention, removalPolicy } = props;
    this.failures = new DeadLetters(this, 'Failures', { removalPolicy });
    this.events = new LambdaFunction(this, 'Events', {
      handler: 'events',
      description: 'Sensorium: has the targets that an event may end poked at once',
      environment: {
        TABLE_NAME: table.resource.tableName,
        SHARD_WORKER_NAME: firstPoke.resource.functionName,
        DEFERRAL_NAME: deferral.resource.functionName,
      },
      timeout: Duration.seconds(30),
      logRetention,
      removalPolicy,
    });
    this.events.resource.configureAsyncInvoke({
      retryAttempts: RETRIES,
      maxEventAge: MAX_AGE,
      onFailure: new SqsDestination(this.failures.resource),
    });
    table.grant(this.events, 'GetItem', 'BatchGetItem');
    table.grantQuery(this.events, 'state-index');
    firstPoke.grantInvoke(this.events);
    deferral.grantInvoke(this.events);
    const family = `${Names.uniqueResourceName(this, { maxLength: 48 })}-`;
    this.admit(`${family}*`);
    for (const [name, rule] of Object.entries({ ...objectRules(props.allow), ...RULES })) {
      new Rule(this, name, { ...rule, ruleName: family + name, targets: [this.target()] });
    }
  }

  /**
   * Lets the rules of these names invoke the function, and put what fails into the queue. One statement for all of them:
   * the CDK's target adds one a rule, and a queue's policy holds 20 of them, in 8,192 bytes.
   */
  private admit(names: string): void {
    const rules = Stack.of(this).formatArn({ service: 'events', resource: 'rule', resourceName: names });
    const principal = new ServicePrincipal('events.amazonaws.com');
    this.events.resource.addPermission('Rules', { principal, sourceArn: rules });
    const statement = new PolicyStatement({
      principals: [principal],
      actions: ['sqs:SendMessage'],
      resources: [this.failures.resource.queueArn],
      conditions: { ArnLike: { 'aws:SourceArn': rules } },
    });
    this.failures.resource.addToResourcePolicy(statement);
  }

  private target(): IRuleTarget {
    const { functionArn: arn } = this.events.resource;
    return {
      bind: () => ({
        arn,
        deadLetterConfig: { arn: this.failures.resource.queueArn },
        retryPolicy: { maximumRetryAttempts: RETRIES, maximumEventAgeInSeconds: MAX_AGE.toSeconds() },
      }),
    };
  }
}
