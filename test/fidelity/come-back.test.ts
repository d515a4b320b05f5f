// What goes away and comes back: drain, destroy, and a deploy that takes over the table that was left. On an emulator of
// its own, since it deploys the stack twice.
import { DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { runCli } from '../../cli/cli.ts';
import { createClients } from '../../local/demo/clients.ts';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import { awsEnv, deploy } from '../../local/deploy.ts';
import type { Emulator } from '../../local/emulator.ts';
import { IDENTITY } from '../../local/identity.ts';
import { deleteStack } from '../../local/stack.ts';
import { createApi } from '../e2e/api.ts';
import { openExecutions } from '../e2e/executions.ts';
import { until } from '../e2e/until.ts';
import { ownEmulator, ROOT, STATE_DIR } from './own-emulator.ts';

const STACK = 'Sensorium';
const LIMIT_MS = 400_000;

const report = (): void => {};
const never = new AbortController().signal;

let emulator: Emulator;

beforeAll(async () => {
  emulator = await ownEmulator();
}, LIMIT_MS);

afterAll(() => emulator.stop());

const deployed = (context: Readonly<Record<string, string>>) =>
  deploy({
    app: ROOT,
    stateDir: STATE_DIR,
    stack: STACK,
    endpoint: emulator.endpoint,
    env: process.env,
    report,
    context,
  });

/** `npx sensorium ...`, as whoever is signed in to the emulator. */
async function sensorium(args: string): Promise<string> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(args.split(' '), {
    stdout: { write: (text) => void (stdout += text) },
    stderr: { write: (text) => void (stderr += text) },
    stdin: Readable.from([]),
    env: awsEnv({}, emulator.endpoint),
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    sleep: () => Promise.resolve(),
    ask: () => Promise.resolve(''),
    signal: never,
    credentials: async () => IDENTITY.credentials,
    configuredRegion: async () => undefined,
    version: '0.0.0',
  });
  if (code !== 0) throw new Error(`sensorium ${args}: ${code} ${stdout} ${stderr}`);
  return stdout;
}

test(
  'a service that is drained, destroyed and deployed anew over its table ends the waits that it had',
  async () => {
    const { endpoint } = emulator;
    const clients = createClients(endpoint, endpoint);
    const zone = await openLandingZone(clients.s3, 'comes-back');
    const kept = { allow: 'arn:aws:s3:::comes-back/*', dashboard: 'false', removal: 'retain' };

    const first = await deployed(kept);
    const api = createApi(first['ApiUrl'] ?? '');
    const sensor = { type: 's3_key', bucket: 'comes-back', key: 'k' };
    const modes = ['smart', 'deferrable'] as const;
    for (const mode of modes) await api.submit({ id: mode, mode, sensor, poke_interval: 10, timeout: 86_400 });
    const callers = openExecutions(endpoint, first['SubmitAndWaitArn'] ?? '');
    const execution = await callers.start('mine', { task: { id: 'called', sensor } });
    const deferrals = openExecutions(endpoint, first['DeferralArn'] ?? '');
    const isOne = (names: readonly string[]): boolean => names.length === 1;
    await until(() => deferrals.running(), isOne);
    await until(
      () => api.call('GET', '/v1/tasks/called'),
      ({ status }) => status === 200,
    );

    expect(await sensorium('drain --yes')).toBe(`paused: default
stopped: 1 execution of mode deferrable
left:
  3 tasks of default, in the table
  1 execution of SubmitAndWait: their callers'; --callers stops them
  waitFor states and the machines of submitAndWaitIn: the service does not know them
`);
    expect(await sensorium('drain --yes --callers')).toContain('stopped: 1 execution of SubmitAndWait');
    expect(await callers.end(execution)).toMatchObject({ status: 'ABORTED', cause: 'the service is drained' });

    await deleteStack(clients.cloudFormation, STACK);
    const dynamo = new DynamoDBClient({ ...IDENTITY, endpoint });
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: first['TableName'] }));
    const second = await deployed({ ...kept, table: Table?.LatestStreamArn ?? '' });
    expect(second['TableName']).toBe(first['TableName']);
    await sensorium('queues set default --no-paused');
    await zone.land('k');
    const lambda = new LambdaClient({ ...IDENTITY, endpoint });
    const invoke = async (name: string | undefined, event: object): Promise<void> => {
      await lambda.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
    };
    const resources = await clients.cloudFormation.send(new DescribeStackResourcesCommand({ StackName: STACK }));
    const deferral = resources.StackResources?.find(
      ({ ResourceType, LogicalResourceId = '' }) =>
        ResourceType === 'AWS::Lambda::Function' && LogicalResourceId.includes('DeferralFunction'),
    );
    const again = createApi(second['ApiUrl'] ?? '');
    // Both come by themselves as well, every minute and every five; an execution that is missing counts after two.
    const look = async () => {
      await invoke(second['DispatcherName'], {});
      await invoke(deferral?.PhysicalResourceId, { kind: 'watch', queue: 'default' });
      return Promise.all([...modes, 'called'].map(async (id) => (await again.task(id)).state));
    };
    const isOver = (states: readonly string[]): boolean => states.every((state) => state === 'success');
    await until(look, isOver, { limitMs: 240_000, everyMs: 5_000 });
  },
  LIMIT_MS,
);
