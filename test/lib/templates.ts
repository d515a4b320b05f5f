// Ways to look at the templates of the stacks.
import { expect } from '@jest/globals';
import type { FunctionName } from '../../functions/settings.ts';
import { template } from './stacks.ts';

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
  readonly ManagedPolicyArns?: readonly { readonly Ref: string }[];
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
  const { Statement: inline } = one('AWS::IAM::Policy', `${construct}Role`, of).PolicyDocument;
  const { ManagedPolicyArns: attached = [] } = one('AWS::IAM::Role', `${construct}Role`, of);
  const managed = attached.flatMap(({ Ref }) => one('AWS::IAM::ManagedPolicy', Ref, of).PolicyDocument.Statement);
  return Object.fromEntries(
    [...inline, ...managed].flatMap(({ Action, Resource }) =>
      [Action].flat().map((name) => [name, JSON.stringify(Resource)]),
    ),
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
