import { noSuchCluster, noSuchStep } from './fault.ts';
import { endedAt, isActive, type Step, stepState } from './step.ts';

export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** How long it takes to start. */
  readonly startingMs: number;
  /** False: it terminates by itself after its last step. */
  readonly keepAlive: boolean;
  readonly steps: Map<string, Step>;
  /** When a user, or a script, ended it, and whether that was an error. */
  terminated?: {
    readonly at: number;
    readonly state: 'TERMINATED' | 'TERMINATED_WITH_ERRORS';
    readonly message: string;
  };
}

export type ClusterState = 'STARTING' | 'RUNNING' | 'WAITING' | 'TERMINATED' | 'TERMINATED_WITH_ERRORS';

export interface ClusterStatus {
  readonly State: ClusterState;
  readonly StateChangeReason: { readonly Code?: string; readonly Message?: string };
  readonly endedAt?: number;
}

/** All clusters of the stand-in's account. Ids count up: they are the same in every run. */
export class Clusters {
  readonly #clusters = new Map<string, Cluster>();
  #steps = 0;

  create(name: string, createdAt: number, startingMs: number, keepAlive: boolean): Cluster {
    const id = `j-${serial(this.#clusters.size + 1)}`;
    const cluster: Cluster = { id, name, createdAt, startingMs, keepAlive, steps: new Map() };
    this.#clusters.set(id, cluster);
    return cluster;
  }

  /** @throws EmrFault as EMR answers for a cluster that does not exist. */
  get(id: string): Cluster {
    const cluster = this.#clusters.get(id);
    if (cluster === undefined) throw noSuchCluster(id);
    return cluster;
  }

  addStep(cluster: Cluster, step: Omit<Step, 'id'>): Step {
    this.#steps += 1;
    const added = { id: `s-${serial(this.#steps)}`, ...step };
    cluster.steps.set(added.id, added);
    return added;
  }
}

/** @throws EmrFault as EMR answers for a step that does not exist in the cluster. */
export function findStep(cluster: Cluster, id: string): Step {
  const step = cluster.steps.get(id);
  if (step === undefined) throw noSuchStep(id);
  return step;
}

/** Gives a step another end; one that has ended keeps its own. */
export function overrideStep(cluster: Cluster, id: string, override: NonNullable<Step['override']>): boolean {
  const step = findStep(cluster, id);
  if (!isActive(stepState(step, override.at))) return false;
  cluster.steps.set(id, { ...step, override });
  return true;
}

export function terminate(cluster: Cluster, end: NonNullable<Cluster['terminated']>): void {
  if (clusterStatus(cluster, end.at).endedAt !== undefined) return;
  for (const id of cluster.steps.keys()) overrideStep(cluster, id, { at: end.at, state: 'CANCELLED' });
  cluster.terminated = end;
}

export function clusterStatus(cluster: Cluster, now: number): ClusterStatus {
  const { createdAt, startingMs, keepAlive, steps, terminated } = cluster;
  if (terminated !== undefined) {
    const { at, state, message } = terminated;
    const Code = state === 'TERMINATED' ? 'USER_REQUEST' : 'INSTANCE_FAILURE';
    return { State: state, StateChangeReason: { Code, Message: message }, endedAt: at };
  }
  if (now < createdAt + startingMs) return { State: 'STARTING', StateChangeReason: {} };
  const all = [...steps.values()];
  const ends = all.map((step) => endedAt(step, now));
  if (ends.includes(undefined)) return { State: 'RUNNING', StateChangeReason: { Message: 'Running step' } };
  if (keepAlive || all.length === 0) {
    return { State: 'WAITING', StateChangeReason: { Message: 'Cluster ready to run steps.' } };
  }
  const failed = all.some((step) => stepState(step, now) === 'FAILED' && step.config.ActionOnFailure !== 'CONTINUE');
  return {
    State: failed ? 'TERMINATED_WITH_ERRORS' : 'TERMINATED',
    StateChangeReason: failed
      ? { Code: 'STEP_FAILURE', Message: 'Shut down as step failed' }
      : { Code: 'ALL_STEPS_COMPLETED', Message: 'Steps completed' },
    endedAt: Math.max(...ends.flatMap((end) => end ?? [])),
  };
}

/** Thirteen characters, as EMR's own. */
function serial(count: number): string {
  return `STANDIN${String(count).padStart(6, '0')}`;
}
