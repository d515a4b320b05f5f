import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { LandingZone } from '../../../local/demo/landing-zone.ts';
import { connect } from '../service.ts';
import { until } from '../until.ts';
import { LIMIT_MS, openBucket, runExample, runScript } from './world.ts';

const Task = z.object({ id: z.string(), sensor: z.object({ key: z.string() }) });

const service = connect();
const bucket = service.unique('landing');
const queue = service.queue();
let zone: LandingZone;

beforeAll(async () => {
  zone = await openBucket(service, bucket);
});

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

test(
  'a thousand lines, submitted by the command line, end when their twenty keys have landed',
  async () => {
    const made = await runScript(service, 'bulk-submit/lines.ts', ['--bucket', bucket, '--queue', queue]);
    const tasks = made.lines.map((line) => Task.parse(JSON.parse(line)));
    const keys = new Set(tasks.map(({ sensor }) => sensor.key));
    expect({ tasks: tasks.length, keys: keys.size }).toEqual({ tasks: 1_000, keys: 20 });

    const folder = await mkdtemp(join(tmpdir(), 'sensorium-bulk-'));
    const file = join(folder, 'tasks.jsonl');
    await writeFile(file, made.lines.join('\n'));
    const args = ['bin/sensorium.mjs', 'submit', '--file', file, '--wait', '4m'];
    const submitting = runExample(service, process.execPath, args);
    // The last one stands, so all do. What lands is told, and the schedule ticks on: nobody hurries it here.
    const last = tasks.at(-1)!;
    await until(
      () => service.api.call('GET', `/v1/tasks/${last.id}`),
      ({ status }) => status === 200,
      { limitMs: LIMIT_MS, everyMs: 500 },
    );
    for (const key of keys) await zone.land(key);
    const { code, lines } = await submitting;
    expect(lines).toContainEqual(expect.stringContaining('1,000 of 1,000 lines stand'));
    expect(lines).toContainEqual(expect.stringContaining('1,000 success'));
    expect(code).toBe(0);
    await rm(folder, { recursive: true });
  },
  LIMIT_MS,
);
