/**
 * Submits a task for work outside of AWS, and waits for its end. worker.py does the work.
 *
 *   npx tsx examples/external-job/submit.ts --id convert-42
 */
import { parseArgs } from 'node:util';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { createClient } from 'sensorium/client';

const { values } = parseArgs({
  options: {
    id: { type: 'string' },
    queue: { type: 'string', default: 'external' },
    retries: { type: 'string', default: '1' },
    'retry-delay': { type: 'string', default: '60' },
    'heartbeat-timeout': { type: 'string', default: '60' },
  },
});
const { SENSORIUM_URL: url, AWS_REGION: region = 'us-east-1' } = process.env;
if (!url) throw new Error('SENSORIUM_URL is not set: the output ApiUrl of the stack');

const sensorium = createClient({ url, region, credentials: defaultProvider() });
const { id } = await sensorium.submit({
  ...(values.id === undefined ? {} : { id: values.id }),
  queue: values.queue,
  sensor: { type: 'external' },
  timeout: 'PT1H',
  retries: Number(values.retries),
  retry_delay: Number(values['retry-delay']),
  // Nobody has heard of the worker for so long: it is dead, and the retry rules decide.
  heartbeat_timeout: Number(values['heartbeat-timeout']),
});
console.log(id);
const { state, reason, try_number } = await sensorium.wait(id);
console.log(`${state} in try ${try_number}${reason === undefined ? '' : `: ${reason}`}`);
process.exitCode = state === 'success' ? 0 : 1;
