// Who is meant to do what to what: the declared intent, by function, beside which the template's policies are judged. It is
// written by hand and shares nothing with the code that makes them.
import type { Template } from 'aws-cdk-lib/assertions';
import { arnOf, resolver } from './resolve.ts';

/** Actions, and whether they may be done to a resource. */
export interface Grant {
  readonly actions: readonly string[];
  readonly on: (arn: string) => boolean;
}

/** What an operator has opened, in the words of the tests: not as ARN patterns. */
export interface Opened {
  /** Buckets and the beginnings of the keys in them that may be read. */
  readonly keys: readonly (readonly [bucket: string, prefix: string])[];
  /** Clusters of EMR that may be asked about: an ARN, or with a slash at its end the beginning of some. */
  readonly clusters: readonly string[];
  /** Whether what is watched may be ended. */
  readonly cancel?: boolean;
}

/** The resources of the service by short names. */
export interface Own {
  readonly table: string;
  readonly stream: string;
  readonly index: (name: 'hashcode' | 'shardcode' | 'state') => string;
  readonly fn: (construct: string) => string;
  /** The beginning of the ARNs of a function's log streams. */
  readonly logs: (construct: string) => string;
  readonly letters: (construct: string) => string;
  readonly bus: string;
  readonly waits: string;
}

/** @returns the ARNs of the template's own resources. */
export function ownOf(template: Template): Own {
  const resolve = resolver(template);
  const find = (type: string, name: string): string => {
    const ids = Object.keys(template.findResources(type)).filter((id) => id.includes(name));
    if (ids.length !== 1) throw new Error(`${ids.length} resources of ${type} are called ${name}`);
    return String(resolve({ 'Fn::GetAtt': [ids[0], 'Arn'] }));
  };
  const table = find('AWS::DynamoDB::GlobalTable', '');
  return {
    table,
    stream: `${table}/stream/2026-01-31T12:00:00.000`,
    index: (name) => `${table}/index/${name}-index`,
    fn: (construct) => find('AWS::Lambda::Function', construct),
    logs: (construct) => find('AWS::Logs::LogGroup', `${construct}Logs`).replace(/\*$/, ''),
    letters: (construct) => find('AWS::SQS::Queue', construct),
    bus: find('AWS::Events::EventBus', ''),
    waits: find('AWS::StepFunctions::StateMachine', 'Deferral'),
  };
}

const on = (...arns: readonly string[]) => ({ on: (arn: string) => arns.includes(arn) });

const dynamodb = (...actions: readonly string[]) => actions.map((action) => `dynamodb:${action}`);

const isOneOf = (clusters: readonly string[]) => (arn: string) =>
  clusters.some((open) => (open.endsWith('/') ? arn.startsWith(open) : arn === open));

/** What reading with sensors takes. */
function sensing({ keys, clusters }: Opened): readonly Grant[] {
  return [
    {
      actions: ['s3:GetObject'],
      on: (arn) => keys.some(([bucket, prefix]) => arn.startsWith(`arn:aws:s3:::${bucket}/${prefix}`)),
    },
    { actions: ['s3:ListBucket'], ...on(...keys.map(([bucket]) => `arn:aws:s3:::${bucket}`)) },
    {
      actions: ['ListSteps', 'DescribeStep', 'DescribeCluster'].map((name) => `elasticmapreduce:${name}`),
      on: isOneOf(clusters),
    },
  ];
}

function ending({ clusters, cancel = false }: Opened): readonly Grant[] {
  if (!cancel) return [];
  return [{ actions: ['elasticmapreduce:CancelSteps', 'elasticmapreduce:TerminateJobFlows'], on: isOneOf(clusters) }];
}

const streaming = (own: Own, failures: string): readonly Grant[] => [
  { actions: dynamodb('DescribeStream', 'GetRecords', 'GetShardIterator'), ...on(own.stream) },
  // It cannot be narrowed: the action takes no resource.
  { actions: dynamodb('ListStreams'), on: () => true },
  { actions: ['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], ...on(own.letters(failures)) },
];

const invoking = (own: Own, ...constructs: readonly string[]): Grant => ({
  actions: ['lambda:InvokeFunction'],
  ...on(...constructs.map(own.fn)),
});

const worker = (own: Own, opened: Opened): readonly Grant[] => [
  {
    actions: dynamodb('GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem', 'PartiQLUpdate'),
    ...on(own.table),
  },
  { actions: dynamodb('Query'), ...on(own.index('hashcode'), own.index('shardcode'), own.index('state')) },
  invoking(own, 'PokeWorker'),
  ...sensing(opened),
];

/** Any state machine of the account and Region may hold a token of ours. */
const isMachine = (arn: string): boolean => arn.startsWith(arnOf('states', 'stateMachine:'));

/** By the name of the role's construct. */
export const INTENT: Readonly<Record<string, (own: Own, opened: Opened) => readonly Grant[]>> = {
  ApiFunctionRole: (own) => [
    { actions: dynamodb('GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert'), ...on(own.table) },
    { actions: dynamodb('Query'), ...on(own.index('hashcode'), own.index('state')) },
  ],
  ExecutionFunctionRole: (own) => [{ actions: dynamodb('GetItem', 'UpdateItem'), ...on(own.table) }],
  SubmitAndWaitFunctionRole: (own) => [
    { actions: dynamodb('GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert'), ...on(own.table) },
    { actions: ['states:SendTaskFailure'], on: isMachine },
  ],
  DispatcherRole: (own) => [
    { actions: dynamodb('GetItem', 'BatchGetItem', 'UpdateItem'), ...on(own.table) },
    { actions: dynamodb('Query'), ...on(own.index('shardcode'), own.index('state')) },
    invoking(own, 'SmartSensorShardWorker', 'DeferralFunction', 'NotificationsNotifier'),
  ],
  SmartSensorShardWorkerRole: (own, opened) => [...worker(own, opened), ...ending(opened)],
  SmartSensorFirstPokeRole: worker,
  PokeWorkerRole: (own, opened) => [
    { actions: dynamodb('GetItem', 'UpdateItem'), ...on(own.table) },
    invoking(own, 'PokeWorker'),
    ...sensing(opened),
  ],
  DeferralFunctionRole: (own, opened) => [
    { actions: dynamodb('GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLUpdate'), ...on(own.table) },
    { actions: dynamodb('Query'), ...on(own.index('hashcode'), own.index('state')) },
    { actions: ['states:StartExecution', 'states:ListExecutions'], ...on(own.waits) },
    {
      actions: ['states:StopExecution'],
      on: (arn) => arn.startsWith(`${own.waits.replace(':stateMachine:', ':execution:')}:`),
    },
    ...sensing(opened),
  ],
  RouterRole: (own) => [invoking(own, 'FirstPoke', 'DeferralFunction'), ...streaming(own, 'RouterFailures')],
  AcceleratorEventsRole: (own) => [
    { actions: dynamodb('GetItem', 'BatchGetItem'), ...on(own.table) },
    { actions: dynamodb('Query'), ...on(own.index('state')) },
    invoking(own, 'FirstPoke', 'DeferralFunction'),
    {
      actions: ['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
      ...on(own.letters('AcceleratorFailures')),
    },
  ],
  NotifierRole: (own) => [
    {
      actions: dynamodb('GetItem', 'UpdateItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate'),
      ...on(own.table),
    },
    { actions: dynamodb('Query'), ...on(own.index('shardcode')) },
    { actions: ['events:PutEvents'], ...on(own.bus) },
    { actions: ['states:SendTaskSuccess', 'states:SendTaskFailure'], on: isMachine },
    ...streaming(own, 'NotificationsDeadLetters'),
  ],
  // Step Functions' own: each invokes one function, of which there are no versions.
  SensoriumDeferralRole: (own) => [invoking(own, 'DeferralFunction')],
  SubmitAndWaitRole: (own) => [
    {
      actions: ['lambda:InvokeFunction'],
      on: (arn) => arn === own.fn('SubmitAndWait') || arn.startsWith(`${own.fn('SubmitAndWait')}:`),
    },
  ],
};

/** Roles of Step Functions; all others are functions'. */
const OF_MACHINES = ['SensoriumDeferralRole', 'SubmitAndWaitRole'];

/** @returns whether a role is meant to do something, by its name in `INTENT`. */
export function intended(role: string, own: Own, opened: Opened): (action: string, arn: string) => boolean {
  const logs = OF_MACHINES.includes(role) ? undefined : own.logs(role.replace(/Role$/, ''));
  const grants = [
    ...(INTENT[role]?.(own, opened) ?? []),
    // Every function writes its own logs.
    {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      on: (arn: string) => logs !== undefined && arn.startsWith(logs),
    },
  ];
  return (action, arn) => grants.some(({ actions, on: isOn }) => actions.includes(action) && isOn(arn));
}
