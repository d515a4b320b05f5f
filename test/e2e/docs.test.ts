/** The commands of the docs, typed in as they stand: a page is one session of a shell. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensurePythonEnv } from '../../local/python-env.ts';
import { fencesOf, pages, ROOT } from '../docs/pages.ts';
import { connect } from './service.ts';
import type { Service } from './service.ts';

const INSTALL_MS = 600_000;
const PAGE_MS = 300_000;
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
  env = { ...process.env, PATH: path, SENSORIUM_URL: service.api.url, AWS_PAGER: '' };
  // What the pages wait for.
  await service.clients.s3.send(new CreateBucketCommand({ Bucket: 'landing' }));
}, INSTALL_MS);

afterAll(() => service.leave());

const sessions = pages().flatMap((page) => {
  const fences = fencesOf(page);
  if (fences.length === 0) return [];
  const script = fences.map(({ line, script: typed }) => `echo "--- line ${line}"\n${typed}`).join('\n');
  return [[page.name, script] as const];
});

describe('every command of', () => {
  test.each(sessions)(
    '%s',
    (_, script) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', `${PRELUDE}\n${script}`], {
        cwd: ROOT,
        env,
        encoding: 'utf8',
        timeout: PAGE_MS,
      });
      expect({ status, said: status === 0 ? '' : `${stdout}\n${stderr}` }).toEqual({ status: 0, said: '' });
    },
    PAGE_MS,
  );
});
