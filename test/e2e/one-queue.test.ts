/** One queue, by the routes below it: through the client, the command line, a worker and a state machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeStateMachineCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { IDENTITY } from '../../local/identity.ts';
import { LIMIT_MS, ROOT, runExample } from './examples/world.ts';
import { openExecutions } from './executions.ts';
import { connect } from './service.ts';

const service = connect();
const { api } = service;
const [queue, other] = [service.queue(), service.queue()];
const client = createClient({ ...IDENTITY, url: service.apiUrl, queue });

/** Characters that paths, queries and signatures write in different ways. */
const ODD = 'a.b:c=d+e@f_g';
const NEVER = { type: 'datetime', at: '2100-01-01T00:00:00Z' } as const;

const pythons = [join(ROOT, '.sensorium', 'python', 'bin', 'python'), process.env['SENSORIUM_AIRFLOW_PYTHON'] ?? ''];
const python = pythons.find((path) => existsSync(path)) ?? 'python3';

afterAll(() => service.leave());

test('a client of the queue does with its tasks whatever can be done', async () => {
  const id = `${service.unique('mine')}${ODD}`;
  expect(await client.submit({ id, sensor: NEVER, retries: 1 })).toMatchObject({ id, queue, state: 'sensing' });
  const above = await api.task(id);
  expect(await client.get(id)).toEqual(above);
  expect(await client.explain(id)).toMatchObject({ id, queue });
  expect((await client.list({ limit: 1 })).tasks).toMatchObject([{ id }]);
  expect(await client.mark(id, 'failed')).toMatchObject({ state: 'failed' });
  expect(await api.call('GET', `/v1/queues/${queue}/tasks/${id}/ready`)).toMatchObject({ status: 200 });
  expect(await client.clear(id)).toMatchObject({ try_number: 2 });
  expect(await client.remove(id)).toMatchObject({ state: 'removed' });
  expect(await client.wait(id)).toMatchObject({ state: 'removed' });
});

test('a task of another queue is as one that is not there, and is left alone', async () => {
  const { id } = await api.submit({ queue: other, sensor: { type: 'external' }, retries: 1 });
  const paths: [string, string, object?][] = [
    ['GET', `/v1/queues/${queue}/tasks/ID`],
    ['GET', `/v1/queues/${queue}/tasks/ID/explain`],
    ['GET', `/v1/queues/${queue}/tasks/ID/ready`],
    ['POST', `/v1/queues/${queue}/tasks/ID/clear`],
    ['POST', `/v1/queues/${queue}/tasks/ID/mark`, { state: 'success' }],
    ['DELETE', `/v1/queues/${queue}/tasks/ID`],
    ['PATCH', `/execution/queues/${queue}/task-instances/ID/run`, { hostname: 'h', unixname: 'u', pid: 1 }],
    ['PATCH', `/execution/queues/${queue}/task-instances/ID/state`, { state: 'success' }],
    ['PUT', `/execution/queues/${queue}/task-instances/ID/heartbeat`, { hostname: 'h', pid: 1 }],
  ];
  const before = await api.task(id);
  for (const [method, path, body] of paths) {
    const { status, text } = await api.call(method, path.replace('ID', id), body);
    const unknown = await api.call(method, path.replace('ID', service.unique('nobody')), body);
    expect([path, status, text]).toEqual([path, 404, unknown.text]);
  }
  expect(await api.task(id)).toEqual(before);
  await expect(client.submit({ sensor: NEVER, queue: other })).rejects.toMatchObject({ status: 422, field: 'queue' });
  expect(await api.call('GET', `/v1/queues/${encodeURIComponent(`${queue}%`)}/tasks`)).toMatchObject({ status: 400 });
});

test(
  'the command line and a worker ask below the queue that they are told',
  async () => {
    const id = service.unique('job');
    const cli = (args: string) =>
      runExample(service, process.execPath, [join(ROOT, 'bin', 'sensorium.mjs'), ...args.split(' ')]);
    expect(await cli(`submit external --id ${id} --queue ${queue}`)).toMatchObject({ code: 0 });
    const worker = (of: string) =>
      runExample(service, python, [join('examples', 'external-job', 'worker.py'), id, '--', 'true'], {
        SENSORIUM_QUEUE: of,
      });
    const foreign = await worker(other);
    expect(foreign).toEqual({ code: 1, lines: [expect.stringContaining('there is no task instance with this id')] });
    expect(await worker(queue)).toEqual({ code: 0, lines: [`${id}~1: {'state': 'success'}`] });
    expect((await cli(`get ${id} --queue ${queue}`)).lines[0]).toBe(`${id}  success`);
    expect(await cli(`get ${id} --queue ${other}`)).toMatchObject({ code: 1 });
  },
  LIMIT_MS,
);

test('a state machine whose definition names the queue submits into it, whatever its input is', async () => {
  const sfn = new SFNClient({ ...IDENTITY, endpoint: service.endpoint });
  const stateMachineArn = service.submitAndWaitArn;
  const { definition = '', roleArn } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  // As submitAndWaitIn has it: the deployed stack has the open one alone.
  const parsed = JSON.parse(definition) as { States: Record<string, { Arguments: { Payload: object } }> };
  Object.assign(parsed.States['Submit and wait']!.Arguments.Payload, { queue });
  const name = service.unique('machine');
  const created = await sfn.send(new CreateStateMachineCommand({ name, roleArn, definition: JSON.stringify(parsed) }));
  const executions = openExecutions(service.endpoint, created.stateMachineArn ?? '');
  const sensor = { type: 'datetime', at: new Date(Date.now() - 1_000).toISOString() };
  const end = async (task: object) => executions.end(await executions.start(service.unique('run'), { task }));

  const own = await end({ sensor });
  expect(own).toMatchObject({ status: 'SUCCEEDED', output: { queue, state: 'success' } });
  const refused = { status: 'FAILED', error: 'Sensorium.Refused' };
  const cause = `queue must be ${queue}, the only queue that is reached this way`;
  expect(await end({ sensor, queue: other })).toMatchObject({ ...refused, cause });
  const taken = await api.submit({ queue: other, sensor: NEVER });
  expect(await end({ sensor, id: taken.id })).toMatchObject({
    ...refused,
    cause: 'id: a task with this id was submitted with another body',
  });
  executions.close();
  await sfn.send(new DeleteStateMachineCommand({ stateMachineArn: created.stateMachineArn }));
  sfn.destroy();
});
