import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readOpened } from '../../functions/runtime/opened.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { closedTo, OPENED_FILE } from '../../functions/sensors/opened.ts';
import type { Opened } from '../../functions/sensors/opened.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { fakeIo, fakeSender, specOf } from './fakes.ts';

const LANDING = 'arn:aws:s3:::landing/*';
const TEAM_A = 'arn:aws:s3:::landing/a/*';

const opened = (more: Partial<Opened> = {}): Opened => ({
  allow: [LANDING],
  queues: { 'team-a': { allow: [TEAM_A] }, empty: { allow: [] } },
  closed: false,
  ...more,
});

const arnOf = (key: string) => `arn:*:s3:::landing/${key}`;

test.each<[string, Partial<Opened>, string, string[], string | undefined]>([
  ['a queue that is not listed has all', {}, 'other', [arnOf('a/1'), arnOf('b/1')], undefined],
  ['but no more than all', {}, 'other', ['arn:*:s3:::payroll/1'], 'arn:*:s3:::payroll/1'],
  ['closed, it has nothing', { closed: true }, 'other', [arnOf('a/1')], arnOf('a/1')],
  ['closed, what reads nothing may go on', { closed: true }, 'other', [], undefined],
  ['a listed queue has its own', {}, 'team-a', [arnOf('a/1'), arnOf('a/2')], undefined],
  ['closed or not', { closed: true }, 'team-a', [arnOf('a/1')], undefined],
  [
    'and no more: the first that is closed is named',
    {},
    'team-a',
    [arnOf('a/1'), arnOf('b/1'), arnOf('c')],
    arnOf('b/1'),
  ],
  ['an empty list opens nothing', {}, 'empty', [arnOf('a/1')], arnOf('a/1')],
  ['a name of every object is no listed queue', { closed: true }, 'constructor', [arnOf('a/1')], arnOf('a/1')],
])('%s', (_, more, queue, arns, closed) => {
  expect(closedTo(opened(more), queue, arns)).toBe(closed);
});

describe('a poke', () => {
  const s3 = () => fakeSender({ HeadBucket: {}, HeadObject: { ContentLength: 1 } });
  const key = (name: string) => specOf({ type: 's3_key', bucket: 'landing', key: name });

  test('of what is not opened to its queue is a permanent error that names it, and no call', async () => {
    const sender = s3();
    const sensors = createSensors(awsCalls({ s3: sender, emr: fakeSender({}) }), opened());
    const reason = `the operator has not opened ${arnOf('b/1')} to the queue team-a`;
    const items = [{ queue: 'team-a', spec: key('b/1'), first: true }];
    expect(await sensors.poke(items, fakeIo())).toEqual([{ kind: 'error', reason }]);
    expect(sender.sent).toEqual([]);
  });

  test('costs nobody else the answer', async () => {
    const sensors = createSensors(awsCalls({ s3: s3(), emr: fakeSender({}) }), opened());
    const items = ['b/1', 'a/1', 'b/2'].map((name) => ({ queue: 'team-a', spec: key(name), first: false }));
    const kinds = (await sensors.poke(items, fakeIo())).map(({ kind }) => kind);
    expect(kinds).toEqual(['error', 'met', 'error']);
  });

  test('asks the same of work that somebody else runs: what it watches', async () => {
    const emr = fakeSender({});
    const sensors = createSensors(awsCalls({ s3: s3(), emr }), opened());
    const watches = { type: 'emr_job_flow', job_flow_id: 'j-1' };
    const answer = await sensors.cancel('team-a', specOf({ type: 'external', watches }), false, fakeIo());
    expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringContaining('to the queue team-a') });
    expect(emr.sent).toEqual([]);
  });
});

describe('the file beside a function', () => {
  const written = (text?: string): Opened => {
    const folder = mkdtempSync(join(tmpdir(), 'sensorium-opened-'));
    try {
      if (text !== undefined) writeFileSync(join(folder, OPENED_FILE), text);
      return readOpened(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('is read as it was written', () => {
    expect(written(JSON.stringify(opened()))).toEqual(opened());
  });

  test.each([
    [undefined, 'opened.json is missing or no JSON'],
    ['', 'opened.json is missing or no JSON'],
    ['{"allow":["*"],"queues":{}}', 'opened.json: closed is required'],
    ['{"allow":"*","queues":{},"closed":false}', 'opened.json: allow must be a list'],
    ['{"allow":[],"queues":{"a":{"allow":[1]}},"closed":false}', 'opened.json: queues.a.allow[0] must be a string'],
    ['{"allow":[],"queues":{},"closed":false,"open":true}', 'opened.json: open is not a known field'],
  ])('%s ends the function at its start, with what is wrong', (text, message) => {
    expect(() => written(text)).toThrow(message);
  });
});
