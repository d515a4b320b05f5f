// The templates that the suites look at, made once, and ways to look at one.
import { expect } from '@jest/globals';
import { App, RemovalPolicy } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../functions/settings.ts';
import type { SensoriumProps } from '../../lib/sensorium.ts';
import { SensoriumStack } from '../../lib/stack.ts';

const ALLOW = ['arn:aws:s3:::landing/*', 'arn:aws:elasticmapreduce:eu-west-1:*:cluster/*'];

/** Of a table that an earlier stack has left. */
export const STREAM = 'arn:aws:dynamodb:eu-west-1:111122223333:table/Sensorium-Old/stream/2026-01-31T12:00:00.000';

/** Without bundling: the functions' code is not what is tested here. */
export const newApp = (): App => new App({ context: { 'aws:cdk:bundling-stacks': [] } });

export function stackOf(props: Partial<SensoriumProps> & StackProps = {}): SensoriumStack {
  return new SensoriumStack(newApp(), 'Sensorium', { allow: ALLOW, analyticsReporting: false, ...props });
}

export const template = Template.fromStack(stackOf());

/** As an emulator has it: nothing to keep, nothing outside but the EMR. */
export const local = Template.fromStack(
  stackOf({ allow: [], removalPolicy: RemovalPolicy.DESTROY, emrEndpoint: 'http://127.0.0.1:4567' }),
);

export const FUNCTIONS: readonly (readonly [construct: string, handler: FunctionName])[] = [
  ['ApiFunction', 'api'],
  ['ExecutionFunction', 'execution-api'],
  ['Dispatcher', 'dispatcher'],
  ['ShardWorker', 'shard-worker'],
  ['FirstPoke', 'shard-worker'],
  ['DeferralFunction', 'deferral'],
  ['PokeWorker', 'poke-worker'],
  ['Router', 'router'],
  ['Events', 'events'],
  ['Notifier', 'notifier'],
  ['SubmitAndWaitFunction', 'submit'],
];

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** A resource's properties; those that the suites take apart by their shape. */
export interface Properties {
  readonly [name: string]: unknown;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
  readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
  readonly AlarmDescription: string;
}

/** All resources of a type, of which there is at least one. */
export function all(type: string, of = template): readonly (readonly [id: string, properties: Properties])[] {
  const found = Object.entries(of.findResources(type));
  expect(found).not.toHaveLength(0);
  return found.map(([id, { Properties }]) => [id, Properties as Properties]);
}

/** The one resource of a type that stands under a construct of this name (or the only one of its type). */
export function one(type: string, name = '', of = template): Properties {
  const found = all(type, of).filter(([id]) => id.includes(name));
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
}

/** What a function's role may do, and to what: `dynamodb:GetItem` and a text with the resources in it. */
export function allowed(construct: string, of = template): Readonly<Record<string, string>> {
  const { Statement: statements } = one('AWS::IAM::Policy', `${construct}Role`, of).PolicyDocument;
  return Object.fromEntries(
    statements.flatMap(({ Action, Resource }) => [Action].flat().map((name) => [name, JSON.stringify(Resource)])),
  );
}

export const MACHINE = 'AWS::StepFunctions::StateMachine';

interface State {
  readonly Type: string;
  readonly End?: boolean;
  readonly Next?: string;
  readonly QueryLanguage?: string;
  readonly TimeoutSeconds?: number;
  readonly Arguments?: { readonly Payload: Readonly<Record<string, unknown>> };
  readonly Resource?: unknown;
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts: number }[];
  readonly Catch?: readonly { readonly Next: string }[];
}

export interface Definition {
  readonly StartAt: string;
  readonly QueryLanguage?: string;
  readonly States: Readonly<Record<string, State>>;
}

/** A state machine's definition; what CloudFormation fills in is a word in it. */
export function definition(name: string, of = template): Definition {
  const { DefinitionString } = one(MACHINE, name, of) as unknown as {
    readonly DefinitionString: { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
  };
  const word = (part: unknown): string => (JSON.stringify(part).includes('AWS::Partition') ? 'aws' : 'deployed');
  const parts = DefinitionString['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : word(part)));
  return JSON.parse(parts.join('')) as Definition;
}
