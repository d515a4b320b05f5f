/** The commands of the docs, typed in as they stand: a page is one session of a shell. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CreateBucketCommand, PutBucketNotificationConfigurationCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensurePythonEnv } from '../../local/python-env.ts';
import { fencesOf, pages, ROOT } from '../docs/pages.ts';
import { connect } from './service.ts';
import type { Service } from './service.ts';

const INSTALL_MS = 600_000;
const PAGE_MS = 300_000;
const Bucket = 'landing';
const PRELUDE = readFileSync(join(ROOT, 'test', 'docs', 'prelude.sh'), 'utf8');

let service: Service;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = connect();
  const report = (line: string): void => console.error(line);
  const requirements = join(ROOT, 'test', 'docs', 'requirements.txt');
  const stateDir = join(ROOT, '.sensorium', 'docs');
  const python = await ensurePythonEnv({ requirements, stateDir, env: process.env, report });
  const path = [dirname(process.execPath), dirname(python), process.env['PATH']].join(delimiter);
  env = { ...process.env, PATH: path, AWS_DEFAULT_REGION: 'us-east-1', SENSORIUM_URL: service.apiUrl };
  // What the pages speak of: a bucket that tells of its objects.
  const { s3 } = service.clients;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const NotificationConfiguration = { EventBridgeConfiguration: {} };
  await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
}, INSTALL_MS);

afterAll(async () => {
  await service.table.drop('restored');
  await service.leave();
});

const sessions = pages().flatMap((page) => {
  const fences = fencesOf(page);
  // Examples wait for a world that has to change meanwhile: test/e2e/examples runs each in its own.
  if (fences.length === 0 || page.name.startsWith('examples/')) return [];
  const script = fences.map(({ line, script: typed }) => `echo "--- line ${line}"\n${typed}`).join('\n');
  return [{ name: page.name, script, missing: missingFor(script) }];
});

/** @returns the programs that a page's reader needs, that are not the project's to install, and that are not here. */
function missingFor(script: string): readonly string[] {
  return ['curl', 'jq'].filter((program) => {
    const used = new RegExp(`\\b${program} `, 'u').test(script);
    return used && spawnSync(program, ['--version']).status !== 0;
  });
}

function type(script: string): { readonly status: number | null; readonly said: string } {
  const session = `${PRELUDE}\n${script}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', session], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: PAGE_MS,
  });
  return { status, said: status === 0 ? '' : `${stdout}\n${stderr}` };
}

describe('every command of', () => {
  const ready = sessions
    .filter(({ missing }) => missing.length === 0)
    .map(({ name, script }) => [name, script] as const);
  test.each(ready)('%s', (_, script) => expect(type(script)).toEqual({ status: 0, said: '' }), PAGE_MS);

  for (const { name, missing } of sessions) {
    if (missing.length > 0) test.todo(`${name}: left out, for want of ${missing.join(' and ')}`);
  }
});
