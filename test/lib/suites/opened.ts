import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Opened } from '../../../functions/sensors/opened.ts';
import { JUDGES } from '../../../functions/settings.ts';
import { LambdaFunction } from '../../../lib/lambda-function.ts';
import { openedBy } from '../../../lib/opened.ts';
import { stackOf } from '../stacks.ts';

const LANDING = 'arn:aws:s3:::landing/*';

describe('what the operator opens', () => {
  test('is all of allow to every queue, where nothing else is said', () => {
    expect(openedBy({ allow: [LANDING] })).toEqual({ allow: [LANDING], queues: {}, closed: false });
  });

  test.each([
    ['the same', [LANDING], LANDING],
    ['less of it', [LANDING], 'arn:aws:s3:::landing/a/*'],
    ['anything, of everything', ['*'], LANDING],
    ['everything, of everything', ['*'], '*'],
  ])('may be narrowed for a queue: %s', (_, allow, own) => {
    expect(openedBy({ allow, queues: { 'team-a': { allow: [own] } } }).queues).toEqual({ 'team-a': { allow: [own] } });
  });

  test.each([
    ['another bucket', 'arn:aws:s3:::payroll/*'],
    ['more of the bucket', 'arn:aws:s3:::land*/*'],
    ['everything', '*'],
    ['another partition', 'arn:aws-cn:s3:::landing/*'],
  ])('but not widened: %s', (_, own) => {
    const message = `queues.team-a.allow has ${own}, which allow does not open`;
    expect(() => stackOf({ allow: [LANDING], queues: { 'team-a': { allow: [own] } } })).toThrow(message);
  });

  test.each([
    [{ 'team a': { allow: [] } }, 'queues has "team a"'],
    [{ 'team-a': { allow: ['landing'] } }, '"landing" is no ARN pattern'],
  ])('%j is refused', (queues, message) => {
    expect(() => stackOf({ allow: [LANDING], queues })).toThrow(message);
  });
});

describe('the asset of a function', () => {
  let outdir: string;
  beforeAll(() => {
    outdir = mkdtempSync(join(tmpdir(), 'sensorium-assets-'));
  });
  afterAll(() => rmSync(outdir, { recursive: true }));

  const house = { logRetention: RetentionDays.ONE_DAY, removalPolicy: RemovalPolicy.DESTROY };
  const environment = { TABLE_NAME: 't', SETTINGS: '{}' };
  const rest = { description: 'd', timeout: Duration.seconds(1), memorySize: 128, environment, ...house };

  test('has what is opened beside the code, and is another where that is another', () => {
    const app = new App({ outdir });
    const lists = [[LANDING], ['arn:aws:s3:::landing/a/*']];
    lists.forEach((allow, index) => {
      const opened: Opened = { allow, queues: {}, closed: false };
      // One folder of sources in two stacks of an app: the CDK would take the first one's asset for both.
      new LambdaFunction(new Stack(app, `S${index}`), 'Worker', { handler: 'poke-worker', opened, ...rest });
    });
    app.synth();
    const assets = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
    const files = assets.map((name) => JSON.parse(readFileSync(join(outdir, name, 'opened.json'), 'utf8')) as Opened);
    expect(files.map(({ allow }) => allow)).toEqual(expect.arrayContaining(lists));
    expect(assets).toHaveLength(2);
    for (const name of assets) expect(readdirSync(join(outdir, name))).toContain('index.js');
  });

  test('is asked for by every function that pokes or takes tasks', () => {
    expect([...JUDGES].toSorted()).toEqual(['api', 'deferral', 'poke-worker', 'shard-worker', 'submit']);
  });
});
