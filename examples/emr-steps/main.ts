/**
 * Adds steps to an EMR cluster and waits for all of them, without a DescribeStep a step.
 *
 *   npx tsx examples/emr-steps/main.ts --cluster j-2AXXXXXXGAPLF --step s3://jobs/a.py --step s3://jobs/b.py
 */
import { parseArgs } from 'node:util';
import { AddJobFlowStepsCommand, EMRClient } from '@aws-sdk/client-emr';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { createClient } from 'sensorium/client';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cluster: { type: 'string' },
    step: { type: 'string', multiple: true, default: [] },
    queue: { type: 'string', default: 'emr' },
  },
});
const { cluster, step: scripts, queue } = values;
const { SENSORIUM_URL: url, AWS_REGION: region = 'us-east-1' } = process.env;
if (!url) throw new Error('SENSORIUM_URL is not set: the output ApiUrl of the stack');
if (cluster === undefined || scripts.length === 0) throw new Error('--cluster and at least one --step are needed');

const emr = new EMRClient({ region });
const Steps = scripts.map((script) => ({
  Name: script,
  ActionOnFailure: 'CONTINUE' as const,
  HadoopJarStep: { Jar: 'command-runner.jar', Args: ['spark-submit', script, ...positionals] },
}));
const { StepIds = [] } = await emr.send(new AddJobFlowStepsCommand({ JobFlowId: cluster, Steps }));

const sensorium = createClient({ url, region, credentials: defaultProvider() });
const results = await sensorium.submitMany(
  StepIds.map((step_id, index) => ({
    // A step's id is one of a kind: so is its task's.
    id: `${cluster}:${step_id}`,
    queue,
    sensor: { type: 'emr_step' as const, job_flow_id: cluster, step_id },
    poke_interval: 30,
    timeout: 'PT12H',
    tags: { script: scripts[index] ?? '' },
  })),
);
for (const result of results) if (!result.ok) throw result.error;

const ends = await Promise.all(
  results.map(async ({ id }) => {
    const { state, reason, tags } = await sensorium.wait(id);
    console.log(`${tags?.['script'] ?? id}: ${state}${reason === undefined ? '' : `, ${reason}`}`);
    return state;
  }),
);
emr.destroy();
process.exitCode = ends.every((state) => state === 'success') ? 0 : 1;
