// The sensors against moto, an implementation of AWS that is neither ours nor the emulator's.
import { AddJobFlowStepsCommand, EMRClient, RunJobFlowCommand, TerminateJobFlowsCommand } from '@aws-sdk/client-emr';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/runtime/s3-client.ts';
import { fakeIo, poke, pokeAll } from '../sensors/fakes.ts';
import { ODD_KEYS } from '../sensors/odd-keys.ts';
import { startMoto } from './moto/moto.ts';
import type { Moto } from './moto/moto.ts';

const KEY = { type: 's3_key', bucket: 'landing' };
const INSTALL_MS = 600_000;
const LIMIT_MS = 120_000;

let moto: Moto;
let s3: S3Client;
let emr: EMRClient;
let users: S3Client;

/** What a client of an owner of keys is made of. */
const config = (accessKeyId: string, secretAccessKey: string) => ({
  endpoint: moto.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey },
  maxAttempts: 1,
});

beforeAll(async () => {
  moto = await startMoto();
  s3 = createS3Client({ ...config('test', 'test'), forcePathStyle: true });
  users = new S3Client({ ...config('test', 'test'), forcePathStyle: true });
  emr = new EMRClient(config('test', 'test'));
  for (const Bucket of ['landing', 'pages', 'MyCompany_Logs']) await users.send(new CreateBucketCommand({ Bucket }));
}, INSTALL_MS);

afterAll(async () => {
  for (const client of [s3, users, emr]) client.destroy();
  await moto.stop();
});

const put = (Key: string, Body = '12345', Bucket = 'landing'): Promise<unknown> =>
  users.send(new PutObjectCommand({ Bucket, Key, Body }));

describe('s3_key', () => {
  test.each(ODD_KEYS)('%s is not there, and then is, with its size', async (key) => {
    expect(await poke({ s3 }, { ...KEY, key })).toMatchObject({ kind: 'not_met' });
    await put(key);
    expect(await poke({ s3 }, { ...KEY, key })).toEqual({ kind: 'met' });
    expect(await poke({ s3 }, { type: 's3_key', key: `s3://landing/${key}`, min_size: 5 })).toEqual({ kind: 'met' });
    expect(await poke({ s3 }, { ...KEY, key, min_size: 6 })).toMatchObject({ kind: 'not_met' });
  });

  test.each(ODD_KEYS)('%s is found by a pattern that means it alone', async (key) => {
    await put(`listed/${key}`);
    const pattern = `listed/${key.replaceAll(/[*?[]/g, '[$&]')}`;
    const found = await poke({ s3 }, { ...KEY, key: pattern, wildcard_match: true });
    expect(found).toEqual({ kind: 'met', value: { keys: [`listed/${key}`] } });
  });

  test('of a list all must be there', async () => {
    await put('list/a');
    expect(await poke({ s3 }, { ...KEY, key: ['list/a', 'list/b'] })).toMatchObject({ kind: 'not_met' });
    await put('list/b');
    expect(await poke({ s3 }, { ...KEY, key: ['list/a', 'list/b'] })).toEqual({ kind: 'met' });
  });

  test(
    'patterns see what is behind a page of 1,000, and sizes',
    async () => {
      const names = Array.from({ length: 1100 }, (_, index) => `p/${String(index).padStart(4, '0')}`);
      for (let at = 0; at < names.length; at += 50) {
        await Promise.all(names.slice(at, at + 50).map((name) => put(name, 'x', 'pages')));
      }
      const io = fakeIo();
      const wild = { type: 's3_key', bucket: 'pages', wildcard_match: true };
      expect(await poke({ s3 }, { ...wild, key: 'p/*1099' }, { io })).toEqual({
        kind: 'met',
        value: { keys: ['p/1099'] },
      });
      expect(io.operations).toHaveLength(2);
      expect(await poke({ s3 }, { ...wild, key: 'p/*', min_size: 2 })).toMatchObject({ kind: 'not_met' });
      expect(await poke({ s3 }, { ...wild, key: ['p/0*', 'q/*'] })).toMatchObject({ kind: 'not_met' });
    },
    LIMIT_MS,
  );

  test('N005: a bucket of before 2018', async () => {
    await put('k', 'x', 'MyCompany_Logs');
    expect(await poke({ s3 }, { type: 's3_key', key: 's3://MyCompany_Logs/k' })).toEqual({ kind: 'met' });
  });

  test('no bucket: the first poke of a key says so, and each of a pattern', async () => {
    const nowhere = { type: 's3_key', bucket: 'nowhere', key: 'k' };
    const missing = { kind: 'error', reason: 'bucket nowhere does not exist' };
    expect(await poke({ s3 }, nowhere, { first: true })).toEqual(missing);
    expect(await poke({ s3 }, { ...nowhere, wildcard_match: true })).toEqual(missing);
  });
});

describe('EMR', () => {
  const cluster = async (): Promise<string> => {
    const Instances = { KeepJobFlowAliveWhenNoSteps: true, InstanceCount: 1, MasterInstanceType: 'm5.xlarge' };
    const { JobFlowId = '' } = await emr.send(new RunJobFlowCommand({ Name: 'night', Instances }));
    return JobFlowId;
  };
  const state = (step: string, to: string) => moto.tell({ step, state: to });

  test('a cluster is waited for through its states', async () => {
    const job_flow_id = await cluster();
    const input = { type: 'emr_job_flow', job_flow_id };
    expect(await poke({ emr }, { ...input, target_states: ['WAITING'] })).toEqual({ kind: 'met' });
    expect(await poke({ emr }, input)).toEqual({ kind: 'not_met', state: 'WAITING' });
    await emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [job_flow_id] }));
    expect(await poke({ emr }, input)).toEqual({ kind: 'met' });
    expect(await poke({ emr }, { ...input, target_states: ['WAITING'] })).toMatchObject({ kind: 'failed' });
  });

  test('steps are waited for through their states, in one call', async () => {
    const job_flow_id = await cluster();
    const HadoopJarStep = { Jar: 'command-runner.jar' };
    const Steps = ['a', 'b', 'c'].map((Name) => ({ Name, HadoopJarStep }));
    const { StepIds = [] } = await emr.send(new AddJobFlowStepsCommand({ JobFlowId: job_flow_id, Steps }));
    const [one = '', two = '', three = ''] = StepIds;
    const kinds = async () => {
      const io = fakeIo();
      const inputs = StepIds.map((step_id) => ({ type: 'emr_step', job_flow_id, step_id }));
      const observations = await pokeAll({ emr }, inputs, { io });
      return { kinds: observations.map(({ kind }) => kind), operations: io.operations };
    };
    const operations = ['emr:ListSteps'];
    expect(await kinds()).toEqual({ kinds: ['not_met', 'not_met', 'not_met'], operations });
    await state(one, 'COMPLETED');
    await state(two, 'RUNNING');
    expect(await kinds()).toEqual({ kinds: ['met', 'not_met', 'not_met'], operations });
    await state(two, 'FAILED');
    await state(three, 'CANCELLED');
    expect(await kinds()).toEqual({ kinds: ['met', 'failed', 'failed'], operations });
  });

  test('what EMR does not know is an error', async () => {
    expect(await poke({ emr }, { type: 'emr_job_flow', job_flow_id: 'j-NONE' })).toMatchObject({ kind: 'error' });
  });
});

// The last ones: from here on moto judges each call.
describe('denied', () => {
  const client = (accessKeyId = '', secretAccessKey = '') =>
    createS3Client({ ...config(accessKeyId, secretAccessKey), forcePathStyle: true });

  test('what the policy does not open is an error that names it; keys that nobody has prove nothing (N010)', async () => {
    await put('open/k');
    await put('closed/k');
    const { accessKeyId, secretAccessKey } = await moto.tell({
      policy: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::landing/open/*' },
          { Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::landing' },
        ],
      },
    });
    const sensor = client(accessKeyId, secretAccessKey);
    const stranger = client('AKIANOBODY', 'nothing');
    try {
      expect(await poke({ s3: sensor }, { ...KEY, key: 'open/k' })).toEqual({ kind: 'met' });
      const denied = { kind: 'error', reason: expect.stringContaining('it needs s3:GetObject') };
      expect(await poke({ s3: sensor }, { ...KEY, key: 'closed/k' })).toEqual(denied);
      // A prefix without a slash: of one with it moto reckons another signature.
      const pages = { type: 's3_key', bucket: 'pages', key: 'p*', wildcard_match: true };
      const unlisted = { kind: 'error', reason: expect.stringContaining('it needs s3:ListBucket') };
      expect(await poke({ s3: sensor }, pages)).toEqual(unlisted);
      const unknown = { kind: 'unknown', reason: expect.stringContaining('InvalidAccessKeyId') };
      expect(await poke({ s3: stranger }, { ...KEY, key: 'open/k' })).toEqual(unknown);
      expect(await poke({ s3: stranger }, pages)).toEqual(unknown);
    } finally {
      sensor.destroy();
      stranger.destroy();
    }
  });
});
