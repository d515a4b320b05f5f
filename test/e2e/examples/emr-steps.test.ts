import { RunJobFlowCommand, TerminateJobFlowsCommand } from '@aws-sdk/client-emr';
import { afterAll, expect, test } from '@jest/globals';
import { connect } from '../service.ts';
import { LIMIT_MS, runScript, ticking, untilWaiting } from './world.ts';

const service = connect();
const { emr } = service.clients;
const queue = service.queue();

afterAll(() => service.leave());

test(
  'adds steps, waits for all, and says why one failed',
  async () => {
    const Instances = { KeepJobFlowAliveWhenNoSteps: true };
    const { JobFlowId: cluster = '' } = await emr.send(new RunJobFlowCommand({ Name: 'example', Instances }));
    const args = ['--cluster', cluster, '--queue', queue, '--step', 's3://jobs/a.py', '--step', 's3://jobs/b.py'];
    const life = [
      '--standin-pending=0',
      '--standin-running=3',
      '--standin-outcome=FAILED',
      '--standin-message=No memory',
    ];
    const running = runScript(service, 'emr-steps/main.ts', [...args, '--', ...life]);
    await untilWaiting(service, queue, 2);
    const { code, lines } = await ticking(service, running);
    expect({ code, count: lines.length }).toEqual({ code: 1, count: 2 });
    for (const line of lines) expect(line).toMatch(/^s3:\/\/jobs\/[ab]\.py: failed, .*No memory/);
    await emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [cluster] }));
  },
  LIMIT_MS,
);
