/**
 * A DAG's worth of S3 keys: each step begins when all that it reads has landed.
 *
 *   npx tsx examples/s3-keys/main.ts --bucket landing --date 2024-01-01
 */
import { parseArgs } from 'node:util';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { createClient } from 'sensorium/client';
import type { NewTask } from 'sensorium/client';

const { values } = parseArgs({
  options: {
    bucket: { type: 'string', default: 'landing' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    queue: { type: 'string', default: 'nightly' },
  },
});
const { bucket, date, queue } = values;
const { SENSORIUM_URL: url, AWS_REGION: region = 'us-east-1' } = process.env;
if (!url) throw new Error('SENSORIUM_URL is not set: the output ApiUrl of the stack');

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** What each step reads. One task waits for all of its keys; the hours that two steps read are poked once for both. */
const STEPS = {
  orders: [`orders/${date}/_SUCCESS`],
  sessions: hours.map((hour) => `clicks/${date}/${hour}/_SUCCESS`),
  funnel: [`orders/${date}/_SUCCESS`, ...hours.map((hour) => `clicks/${date}/${hour}/_SUCCESS`)],
};

/** The id says which wait it is: whoever runs this again, on whichever machine, waits for the same tasks. */
const tasks = Object.entries(STEPS).map(([step, key]): NewTask & { readonly id: string } => ({
  id: `${queue}:${date}:${step}`,
  queue,
  dag_id: 'nightly',
  run_id: date,
  task_id: step,
  sensor: { type: 's3_key', bucket, key },
  timeout: 'PT8H',
}));

const sensorium = createClient({ url, region, credentials: defaultProvider() });
for (const result of await sensorium.submitMany(tasks)) if (!result.ok) throw result.error;

const ends = await Promise.all(
  tasks.map(async ({ id, task_id: step }) => {
    const { state, reason } = await sensorium.wait(id);
    console.log(state === 'success' ? `${step} begins` : `${step} does not begin: ${reason ?? state}`);
    return state;
  }),
);
process.exitCode = ends.every((state) => state === 'success') ? 0 : 1;
