import { AddJobFlowStepsCommand, RunJobFlowCommand } from '@aws-sdk/client-emr';
import * as z from 'zod';
import type { Service } from './service.ts';

/** A cluster of the EMR stand-in, and what a test makes of it. */
export interface Cluster {
  readonly id: string;
  /** Adds a step that runs until a script ends it. @returns its id */
  addStep(): Promise<string>;
  /** Ends steps, injects faults, sets limits: see `Script` of the stand-in. */
  script(body: object): Promise<void>;
  /** @returns how many calls of an operation have come so far, from everybody. */
  calls(operation: string): Promise<number>;
}

const Stats = z.object({ calls: z.record(z.string(), z.object({ calls: z.number() })) });

export async function startCluster({ clients, emrEndpoint, unique }: Service): Promise<Cluster> {
  const Instances = { KeepJobFlowAliveWhenNoSteps: true };
  const { JobFlowId = '' } = await clients.emr.send(new RunJobFlowCommand({ Name: unique('cluster'), Instances }));
  return {
    id: JobFlowId,
    async addStep() {
      const Args = ['--standin-pending=0', '--standin-running=3600'];
      const Steps = [{ Name: 'step', HadoopJarStep: { Jar: 'step.jar', Args } }];
      const { StepIds = [] } = await clients.emr.send(new AddJobFlowStepsCommand({ JobFlowId, Steps }));
      return StepIds[0] ?? '';
    },
    async script(body) {
      const response = await fetch(`${emrEndpoint}/_standin/script`, { method: 'POST', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`the EMR stand-in refused a script: ${await response.text()}`);
    },
    async calls(operation) {
      const response = await fetch(`${emrEndpoint}/_standin/stats`);
      return Stats.parse(await response.json()).calls[operation]?.calls ?? 0;
    },
  };
}
