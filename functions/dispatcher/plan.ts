/** What a queue needs in a tick, before what all queues together may take is divided; and what is decided then. */
import type { Demand, Share } from '../core/concurrency.ts';
import type { QueueRecord, ScalingDecision, ShardRecord } from '../core/queue.ts';
import { desiredWorkers } from '../core/scaling.ts';
import type { Scaling } from '../core/scaling.ts';
import { capacityOf, pendingClaims } from '../core/slots.ts';
import type { Slots } from '../core/slots.ts';
import type { DispatcherDeps } from './dispatcher.ts';
import { countLoad, countRunning } from './load.ts';
import type { Load } from './load.ts';

/** A queue that gets workers and runs, as far as there is room. */
export interface ActivePlan {
  readonly kind: 'active';
  readonly queue: QueueRecord;
  readonly shards: readonly ShardRecord[];
  /** Missing: it never had a run. */
  readonly slots: Slots | undefined;
  /** Missing: counting failed. */
  readonly load: Load | undefined;
  /** What it would get if it were alone. */
  readonly scaling: Scaling;
  readonly demand: Demand;
}

/** A queue that gets nothing; runs that were begun before go on. */
export interface PausedPlan {
  readonly kind: 'paused';
  readonly queue: QueueRecord;
  readonly demand: Demand;
}

type PlanDeps = Pick<DispatcherDeps, 'store' | 'settings' | 'log'>;

/** Reads and counts; of a paused queue it notes that it is paused. */
export async function planQueue(deps: PlanDeps, listed: QueueRecord, now: number): Promise<ActivePlan | PausedPlan> {
  const { store, settings } = deps;
  // The list comes from an index and may be old; the decision is written on what stands.
  const queue = (await store.queue(listed.name)) ?? listed;
  if (queue.paused) return planPaused(deps, queue, now);
  const [shards, slots] = await Promise.all([store.shards(queue.name), store.slots(queue.name)]);
  // Only a queue that has had runs has slots, and only there they are counted.
  const tick = { now, to: now + settings.tick_seconds * 1000 };
  const load = await countedLoad(deps, queue, shards, tick, slots !== undefined);
  const scaling = desiredWorkers({
    running: load?.running ?? 0,
    queued: load?.queued ?? 0,
    dormant: load?.dormant ?? false,
    counted: load !== undefined,
    settings: queue,
    now,
    busyAt: queue.busy_at,
    last: queue.decision?.desired,
  });
  const capacity = capacityOf(queue);
  const held = slots === undefined ? 0 : (load?.running ?? lastRuns(queue, capacity)) + pendingClaims(slots, now);
  const due = slots === undefined ? 0 : (load?.runs ?? []).reduce((sum, one) => sum + one, 0);
  const workers = Math.min(scaling.desired, settings.shards);
  const demand = { workers, held, runs: Math.max(held, Math.min(capacity, held + due)) };
  return { kind: 'active', queue, shards, slots, load, scaling, demand };
}

/** Where counting fails: what ran at the last tick, and what was due then, may run now. */
function lastRuns({ decision }: QueueRecord, capacity: number): number {
  return decision === undefined ? 0 : Math.min(capacity, decision.running + decision.queued);
}

const PAUSED = 'the queue is paused';

/** No run goes on for longer after its queue was paused: Lambda ends it. */
const RUN_MS = 15 * 60 * 1000;

/** A paused queue has no workers, whatever falls due in it; it says so once. */
async function planPaused(deps: PlanDeps, queue: QueueRecord, now: number): Promise<PausedPlan> {
  const { store, log } = deps;
  const isNoted = queue.decision?.reason === PAUSED;
  const mayRun = !isNoted || now - (queue.decision?.at ?? 0) < RUN_MS;
  const slots = mayRun ? await store.slots(queue.name) : undefined;
  const held = slots === undefined ? 0 : (await countRunning(deps, queue.name, now)) + pendingClaims(slots, now);
  if (!isNoted) {
    const decision = { at: now, desired: 0, running: 0, queued: 0, reason: PAUSED };
    await store.saveQueue(queue, { ...queue, rev: queue.rev + 1, decision });
    log({ message: 'dispatch', queue: queue.name, workers_wanted: 0, reason: PAUSED });
  }
  return { kind: 'paused', queue, demand: { workers: 0, held, runs: held } };
}

/** @returns what is noted of the tick, with what found no room in the service's concurrency. */
export function decisionOf(
  { load, scaling, demand }: ActivePlan,
  share: Share,
  cap: number,
  now: number,
): ScalingDecision {
  const short = { workers: demand.workers - share.workers, runs: demand.runs - share.runs };
  const missing = [
    ...(short.workers > 0 ? [`${short.workers} of ${demand.workers} workers`] : []),
    ...(short.runs > 0 ? [`${short.runs} of ${demand.runs} runs`] : []),
  ];
  const isShort = missing.length > 0;
  const why = `no room for ${missing.join(' and ')}: all queues together have ${cap} (max_concurrency)`;
  return {
    at: now,
    desired: scaling.desired,
    running: load?.running ?? 0,
    queued: load?.queued ?? 0,
    reason: isShort ? `${scaling.reason}; ${why}` : scaling.reason,
    ...(isShort ? { short } : {}),
  };
}

/** @returns undefined when counting failed: a failure is not a zero. */
async function countedLoad(
  deps: PlanDeps,
  queue: QueueRecord,
  shards: readonly ShardRecord[],
  tick: { readonly now: number; readonly to: number },
  ownRuns: boolean,
): Promise<Load | undefined> {
  try {
    return await countLoad(deps, queue, shards, tick, ownRuns);
  } catch (error) {
    deps.log({ message: 'counting failed', queue: queue.name, error: String(error) });
    return undefined;
  }
}
