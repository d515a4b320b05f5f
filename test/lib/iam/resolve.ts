// What CloudFormation would fill in: the template's tokens as plausible texts, so that policies can be judged and measured.
import type { Template } from 'aws-cdk-lib/assertions';
import { fillIn } from '../tokens.ts';
import type { Resource } from '../tokens.ts';

export const PLACE = { partition: 'aws', region: 'eu-west-1', account: '111122223333' } as const;

/** Who asks: a role of the account. */
export const PRINCIPAL = `arn:aws:iam::${PLACE.account}:role/of-the-test`;

export type Resolve = (value: unknown) => unknown;

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': PLACE.partition,
  'AWS::Region': PLACE.region,
  'AWS::AccountId': PLACE.account,
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'Sensorium',
};

/** The part of an ARN that comes after the account, by the resource's type; `id` is its name. */
const ARNS: Readonly<Record<string, (id: string) => readonly [service: string, resource: string]>> = {
  'AWS::DynamoDB::GlobalTable': (id) => ['dynamodb', `table/${id}`],
  'AWS::Events::EventBus': (id) => ['events', `event-bus/${id}`],
  'AWS::Events::Rule': (id) => ['events', `rule/${id}`],
  'AWS::Lambda::Function': (id) => ['lambda', `function:${id}`],
  'AWS::Logs::LogGroup': (id) => ['logs', `log-group:${id}:*`],
  'AWS::SQS::Queue': (id) => ['sqs', id],
  'AWS::StepFunctions::StateMachine': (id) => ['states', `stateMachine:${id}`],
};

/** @returns the ARN of a resource of this Region and account. */
export function arnOf(service: string, resource: string): string {
  return `arn:${PLACE.partition}:${service}:${PLACE.region}:${PLACE.account}:${resource}`;
}

/** @returns what turns a value of the template into one without tokens. It throws at a token that it does not know. */
export function resolver(template: Template): Resolve {
  const { Resources } = template.toJSON() as { readonly Resources: Readonly<Record<string, Resource>> };

  const nameOf = (id: string): string => {
    const given = Resources[id]?.Properties?.['StateMachineName'];
    return typeof given === 'string' ? given : id;
  };

  function attribute(id: string, name: string): string {
    const type = Resources[id]?.Type ?? '';
    const [service, resource] = ARNS[type]?.(nameOf(id)) ?? [];
    if (service === undefined || resource === undefined) throw new Error(`${id}.${name} of ${type} is not known`);
    const arn = arnOf(service, resource);
    if (name === 'Arn') return arn;
    if (name === 'StreamArn') return `${arn}/stream/2026-01-31T12:00:00.000`;
    if (name === 'Name') return nameOf(id);
    throw new Error(`${id}.${name} is not known`);
  }

  const ref = (id: string): string =>
    PSEUDO[id] ?? (Resources[id]?.Type === 'AWS::StepFunctions::StateMachine' ? attribute(id, 'Arn') : id);
  return (value) => fillIn(value, { ref, attribute });
}
