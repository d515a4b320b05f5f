import * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';
import type { SensorSpec } from '../core/task.ts';
import { ask } from './aws-answer.ts';
import type { EmrCalls } from './emr-calls.ts';
import { observe } from './aws-errors.ts';
import { eventKeys } from './aws-events.ts';
import { terminateCluster } from './emr-cancel.ts';
import { emrId, judge, normaliseStates, type Wanted } from './emr-state.ts';
import type { SensorKind } from './kind.ts';
import type { PokeIo } from './sensor.ts';

export interface EmrJobFlowContext extends SensorSpec, Wanted {
  readonly type: 'emr_job_flow';
  readonly job_flow_id: string;
}

const ENDED = ['TERMINATED', 'TERMINATED_WITH_ERRORS'] as const;
const states = z.array(z.enum(['STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING', 'TERMINATING', ...ENDED]));

const input = z.strictObject({
  type: z.literal('emr_job_flow'),
  job_flow_id: emrId,
  target_states: z._default(states.check(z.minLength(1)), ['TERMINATED']),
  failed_states: z._default(states, ['TERMINATED_WITH_ERRORS']),
});

const schema = z.pipe(
  input,
  z.transform((given: z.output<typeof input>): EmrJobFlowContext => ({ ...given, ...normaliseStates(given) })),
);

export const emrJobFlow: SensorKind<EmrJobFlowContext> = {
  type: 'emr_job_flow',
  summary: 'An EMR cluster has reached one of its target states.',
  schema,
  operations: ['emr:DescribeCluster'],
  permissions: [{ actions: ['elasticmapreduce:DescribeCluster'], resources: ['arn:*:elasticmapreduce:*:*:cluster/*'] }],
  resources: ({ job_flow_id }) => [`arn:*:elasticmapreduce:*:*:cluster/${job_flow_id}`],
  eventKey: ({ job_flow_id }) => eventKeys.cluster(job_flow_id),
  cancelling: {
    permissions: [
      { actions: ['elasticmapreduce:TerminateJobFlows'], resources: ['arn:*:elasticmapreduce:*:*:cluster/*'] },
    ],
    connect:
      ({ emr }) =>
      (context, again, io) =>
        terminateCluster(emr, context, again, io),
  },
  connect:
    ({ emr }) =>
    (items, io) =>
      Promise.all(items.map(({ context }) => poke(emr, context, io))),
};

const answer = z.object({ Cluster: z.object({ Status: z.unknown() }) });

async function poke(emr: EmrCalls, context: EmrJobFlowContext, io: PokeIo): Promise<Observation> {
  const id = context.job_flow_id;
  try {
    const send = (): Promise<unknown> => emr.describeCluster({ ClusterId: id });
    const { Cluster: cluster } = await ask(io, 'emr:DescribeCluster', send, answer);
    return judge(`cluster ${id}`, context, ENDED, cluster.Status);
  } catch (error) {
    const permission = `elasticmapreduce:DescribeCluster on the cluster ${id}`;
    return observe(error, { operation: 'emr:DescribeCluster', permission });
  }
}
