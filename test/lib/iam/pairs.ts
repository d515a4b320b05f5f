// Questions to ask of a role: what it is meant to do, and what comes near to that.
import fc from 'fast-check';
import type { Template } from 'aws-cdk-lib/assertions';
import { arnOf, PLACE, resolver } from './resolve.ts';
import { ownOf } from './intent.ts';
import type { Opened } from './intent.ts';

/** All that any role is meant to do, and what stands beside it in the same services. */
const ACTIONS: Readonly<Record<string, string>> = {
  dynamodb:
    'GetItem BatchGetItem UpdateItem DeleteItem PutItem Query Scan BatchWriteItem PartiQLInsert PartiQLUpdate PartiQLDelete ' +
    'PartiQLSelect DeleteTable UpdateTable DescribeStream GetRecords GetShardIterator ListStreams ExportTableToPointInTime',
  s3: 'GetObject ListBucket PutObject DeleteObject GetObjectVersion GetBucketPolicy GetObjectAcl',
  elasticmapreduce: 'ListSteps DescribeStep DescribeCluster CancelSteps TerminateJobFlows AddJobFlowSteps',
  lambda: 'InvokeFunction UpdateFunctionCode GetFunction DeleteFunction',
  states: 'StartExecution StopExecution ListExecutions SendTaskSuccess SendTaskFailure GetExecutionHistory',
  events: 'PutEvents PutRule DisableRule',
  sqs: 'SendMessage GetQueueAttributes GetQueueUrl ReceiveMessage PurgeQueue',
  logs: 'CreateLogStream PutLogEvents GetLogEvents CreateLogGroup',
  secretsmanager: 'GetSecretValue',
  iam: 'PassRole',
  sts: 'AssumeRole',
};

const NAMES = Object.entries(ACTIONS).flatMap(([service, names]) =>
  names.split(' ').map((name) => `${service}:${name}`),
);

/** What is there, of ours and of others. */
function resourcesOf(template: Template, { keys, clusters }: Opened): readonly string[] {
  const resolve = resolver(template);
  const all = (type: string): string[] =>
    Object.keys(template.findResources(type)).map((id) => String(resolve({ 'Fn::GetAtt': [id, 'Arn'] })));
  const { table, stream, index } = ownOf(template);
  const machines = all('AWS::StepFunctions::StateMachine');
  return [
    table,
    stream,
    index('hashcode'),
    index('shardcode'),
    index('state'),
    ...all('AWS::Lambda::Function'),
    ...all('AWS::Logs::LogGroup').map((arn) => arn.replace(/\*$/, 'log-stream:one')),
    ...all('AWS::SQS::Queue'),
    ...all('AWS::Events::EventBus'),
    ...machines,
    ...machines.map((arn) => `${arn.replace(':stateMachine:', ':execution:')}:one`),
    ...keys.flatMap(([bucket, prefix]) => [
      `arn:aws:s3:::${bucket}`,
      `arn:aws:s3:::${bucket}/${prefix}a.csv`,
      `arn:aws:s3:::${bucket}/elsewhere/a.csv`,
    ]),
    ...clusters.map((beginning) => (beginning.endsWith('/') ? `${beginning}j-ABC` : beginning)),
    'arn:aws:s3:::foreign',
    'arn:aws:s3:::foreign/a.csv',
    arnOf('elasticmapreduce', 'cluster/j-FOREIGN'),
    arnOf('dynamodb', 'table/foreign'),
    arnOf('lambda', 'function:foreign'),
    arnOf('secretsmanager', 'secret:any'),
  ];
}

/** Ways to miss a resource by a little. */
const NEAR: readonly ((arn: string) => string)[] = [
  (arn) => `${arn}x`,
  (arn) => `${arn}/x`,
  (arn) => `${arn}:x`,
  (arn) => arn.slice(0, -1),
  (arn) => arn.replace(PLACE.account, '999988887777'),
  (arn) => arn.replace(PLACE.region, 'us-east-1'),
  (arn) => arn.replace('arn:aws:', 'arn:aws-cn:'),
  (arn) => arn.replace(/\/.*$/, ''),
  (arn) => arn.replace(/(?<=:)[^:]*$/, 'other'),
];

/** @returns pairs of an action and an ARN. */
export function questions(template: Template, opened: Opened): fc.Arbitrary<readonly [action: string, arn: string]> {
  const arns = fc.constantFrom(...resourcesOf(template, opened));
  const missed = fc.tuple(arns, fc.constantFrom(...NEAR)).map(([arn, miss]) => miss(arn));
  const near = fc.oneof(arns, missed);
  const ofService = (arn: string): string[] => NAMES.filter((name) => name.startsWith(`${arn.split(':')[2] ?? ''}:`));
  // Most actions are asked about a resource of their own service; the others are what nobody should be able to do.
  return near.chain((arn) =>
    fc.tuple(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ofService(arn)) }, fc.constantFrom(...NAMES)),
      fc.constant(arn),
    ),
  );
}
