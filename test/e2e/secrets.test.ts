// What looks like a secret in a task is where docs/threat-model.md says that it is, and nowhere else.
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { ListQueuesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subscribe } from '../../local/demo/alerts.ts';
import type { Alerts } from '../../local/demo/alerts.ts';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import { readLogs } from '../../local/demo/worker-logs.ts';
import { IDENTITY } from '../../local/identity.ts';
import { STACK } from '../../local/service.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api, clients, endpoint } = service;
const queue = service.queue();
const bucket = service.unique('secrets');
const since = Date.now() - 1_000;
let alerts: Alerts;
let zone: LandingZone;

/** Every text that a user gives has one of these in it; `token` is the capability that nobody may see. */
const MARK = 'xSECRETx';
const TOKEN = `${MARK}token${'y'.repeat(40)}`;
const secret = (field: string): string => `${MARK}${field}`;

beforeAll(async () => {
  alerts = await subscribe(clients, service.busName, queue);
  zone = await openLandingZone(clients.s3, bucket);
});

afterAll(async () => {
  await zone.remove();
  await alerts.remove();
  await service.leave();
});

const texts = {
  tags: { [secret('tag-name')]: secret('tag-value') },
  dag_id: secret('dag'),
  task_id: secret('task'),
  run_id: secret('run'),
  callback: { task_token: TOKEN },
};

const sensors = {
  met: { type: 's3_key', bucket, key: secret('met') },
  never: { type: 's3_key', bucket, key: secret('never') },
  denied: { type: 's3_key', bucket: service.unique('none'), key: secret('denied') },
  step: { type: 'emr_step', job_flow_id: `j-${secret('flow')}`, step_id: `s-${secret('step')}` },
};

/** Everything that a task can go through; answers as they came. */
async function live(): Promise<string[]> {
  const said: string[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { text, headers } = await api.call(method, path, body);
    said.push(`${method} ${text} ${headers.get('location') ?? ''}`);
  };
  const ids = Object.keys(sensors).flatMap((name) =>
    ['smart', 'deferrable', 'reschedule', 'poke'].map((mode) => [name, mode] as const),
  );
  for (const [name, mode] of ids) {
    const sensor = sensors[name as keyof typeof sensors];
    await call('POST', '/v1/tasks', {
      id: `${queue}-${name}-${mode}`,
      queue,
      mode,
      sensor,
      poke_interval: 1,
      ...texts,
    });
  }
  const worker = { hostname: secret('host'), unixname: secret('user'), pid: 1 };
  const external = `${queue}-external`;
  await call('POST', '/v1/tasks', {
    id: external,
    queue,
    sensor: { type: 'external', watches: sensors.step },
    ...texts,
  });
  await call('PATCH', `/execution/task-instances/${external}~1/run`, worker);
  await call('PUT', `/execution/task-instances/${external}~1/heartbeat`, { hostname: worker.hostname, pid: 1 });
  await call('PATCH', `/execution/task-instances/${external}~1/state`, { state: 'failed', reason: secret('reason') });
  // What is refused: by its body, by its fields, by what stands.
  await api.call('POST', '/v1/tasks', undefined, { text: `{"${MARK}` }).then(({ text }) => said.push(text));
  await call('POST', '/v1/tasks', { queue, sensor: sensors.met, ...texts, retries: -1 });
  await call('POST', '/v1/tasks', {
    queue,
    sensor: sensors.met,
    ...texts,
    callback: { task_token: TOKEN, extra: TOKEN },
  });
  await call('POST', '/v1/tasks', { queue, sensor: sensors.met, ...texts, callback: TOKEN });
  await call('POST', '/v1/tasks', { id: external, queue, sensor: sensors.met, ...texts });
  await call('PATCH', `/execution/task-instances/${external}~1/run`, worker);
  for (const path of ['', '/explain', '/ready']) await call('GET', `/v1/tasks/${queue}-never-smart${path}`);
  await call('GET', `/v1/tasks?queue=${queue}&limit=2`);
  await call('GET', `/v1/queues/${queue}`);
  return said;
}

/** All that a place holds, as one text. */
type Places = Readonly<Record<string, string>>;

async function logs(): Promise<Places> {
  const places: Record<string, string> = {};
  for await (const { group, message } of readLogs(clients.cloudFormation, endpoint, STACK, since)) {
    places[`log ${group}`] = `${places[`log ${group}`] ?? ''}${message}\n`;
  }
  return places;
}

async function executions(): Promise<Places> {
  const client = new SFNClient({ ...IDENTITY, endpoint });
  const { executions: found = [] } = await client.send(
    new ListExecutionsCommand({ stateMachineArn: service.deferralArn }),
  );
  let text = '';
  for (const { executionArn, name } of found) {
    const described = await client.send(new DescribeExecutionCommand({ executionArn }));
    const { events } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
    text += `${name} ${described.input} ${described.output} ${JSON.stringify(events)}\n`;
  }
  client.destroy();
  return { executions: text };
}

async function deadLetters(): Promise<Places> {
  const { QueueUrls = [] } = await clients.sqs.send(new ListQueuesCommand({ QueueNamePrefix: STACK }));
  const places: Record<string, string> = {};
  for (const QueueUrl of QueueUrls) {
    const { Messages } = await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    places[`dead letters ${QueueUrl}`] = JSON.stringify(Messages ?? []);
  }
  return places;
}

test('a secret in a task is told to who may read the task, and stands in no log, execution or dead letter', async () => {
  await zone.land(secret('met'));
  const said = await live();
  const isOver = (ids: readonly string[]): boolean => ids.filter((id) => /-(met|denied)-/.test(id)).length >= 8;
  await service.tickUntil(
    async () => [...alerts.deliveries.keys()],
    (ids) => isOver(ids) && ids.some((id) => id.includes('external')),
  );
  const page = await api.call('GET', `/v1/tasks?queue=${queue}&limit=2&dag_id=${secret('dag')}`);
  const { next } = page.body as { next?: string };
  // The logs of what ran last come a moment later.
  const found = await until(logs, (places) => Object.values(places).some((text) => text.includes(queue)));
  const hidden: Places = { ...found, ...(await executions()), ...(await deadLetters()) };
  expect(Object.keys(hidden).length).toBeGreaterThanOrEqual(12);
  const leaks = Object.entries(hidden).filter(([, text]) => text.includes(MARK));
  expect(
    leaks.map(([place, text]) => [place, text.slice(Math.max(0, text.indexOf(MARK) - 300), text.indexOf(MARK) + 60)]),
  ).toEqual([]);
  expect(hidden['executions']).not.toBe('');

  // The token is told to nobody at all, and no refusal repeats a body.
  const everywhere = [
    ...said,
    JSON.stringify(alerts.received),
    page.text,
    Buffer.from(next ?? '', 'base64url').toString(),
  ];
  expect(everywhere.filter((text) => text.includes(TOKEN))).toEqual([]);
  const refusals = said.filter((text) => /"status":4\d\d/.test(text));
  expect(refusals.length).toBeGreaterThanOrEqual(5);
  expect(refusals.filter((text) => text.includes(MARK))).toEqual([]);
  // What a page token holds is what its reader has asked for.
  expect(next).toBeDefined();
  expect(Buffer.from((next ?? '').split('.')[0] ?? '', 'base64url').toString()).not.toMatch(
    new RegExp(`${MARK}(?!dag)`),
  );
});
