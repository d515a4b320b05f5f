import {
  AddJobFlowStepsCommand,
  type EMRClient,
  paginateListSteps,
  RunJobFlowCommand,
  TerminateJobFlowsCommand,
} from '@aws-sdk/client-emr';
import * as z from 'zod';
import { AWS_LIMITS } from '../emr-standin/token-bucket.ts';
import type { PlannedStep } from './plan.ts';

const Stats = z.object({ calls: z.record(z.string(), z.object({ calls: z.number(), throttled: z.number() })) });

/** Calls of the operations that the sensors make. */
export interface EmrCalls {
  readonly byOperation: Readonly<Record<string, number>>;
  readonly throttled: number;
}

export interface EmrCluster {
  readonly id: string;
  /** In the order of the plan. */
  readonly stepIds: readonly string[];
  /** What the service has asked since the cluster is there. */
  calls(): Promise<EmrCalls>;
  /** Lifts the throttle and reads when each step ended, epoch ms, by its id. */
  stepEnds(): Promise<ReadonlyMap<string, number>>;
  remove(): Promise<void>;
}

/** Starts a cluster of the stand-in with AWS's own throttle before it, and the plan's steps on it. */
export async function startCluster(
  emr: EMRClient,
  endpoint: string,
  name: string,
  steps: readonly PlannedStep[],
): Promise<EmrCluster> {
  const limits = Object.entries(AWS_LIMITS);
  const throttle = limits.map(([name, { perSecond, burst }]) => [name, { per_second: perSecond, burst }] as const);
  await script(endpoint, { limits: Object.fromEntries(throttle) });
  const Instances = { KeepJobFlowAliveWhenNoSteps: true };
  const { JobFlowId: id = '' } = await emr.send(new RunJobFlowCommand({ Name: name, Instances }));
  const Steps = steps.map((step) => ({ Name: step.name, HadoopJarStep: { Jar: 'demo.jar', Args: argsOf(step) } }));
  const { StepIds: stepIds = [] } = await emr.send(new AddJobFlowStepsCommand({ JobFlowId: id, Steps }));
  return {
    id,
    stepIds,
    async calls() {
      const response = await fetch(`${endpoint}/_standin/stats`);
      const { calls } = Stats.parse(await response.json());
      const polled = limits.flatMap(([name]) => {
        const counted = calls[name];
        return counted === undefined ? [] : [{ name, ...counted }];
      });
      return {
        byOperation: Object.fromEntries(polled.map(({ name, calls }) => [name, calls])),
        throttled: polled.reduce((sum, { throttled }) => sum + throttled, 0),
      };
    },
    async stepEnds() {
      await script(endpoint, { limits: Object.fromEntries(limits.map(([name]) => [name, null])) });
      const ends = new Map<string, number>();
      for await (const { Steps = [] } of paginateListSteps({ client: emr }, { ClusterId: id })) {
        for (const { Id, Status } of Steps) {
          const end = Status?.Timeline?.EndDateTime;
          if (Id !== undefined && end !== undefined) ends.set(Id, end.getTime());
        }
      }
      return ends;
    },
    async remove() {
      await emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [id] }));
    },
  };
}

function argsOf({ seconds, failure }: PlannedStep): string[] {
  const life = ['--standin-pending=1', `--standin-running=${seconds}`];
  return failure === undefined ? life : [...life, '--standin-outcome=FAILED', `--standin-message=${failure}`];
}

async function script(endpoint: string, body: object): Promise<void> {
  const response = await fetch(`${endpoint}/_standin/script`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the EMR stand-in refused a script: ${await response.text()}`);
}
