/**
 * The dispatcher (DESIGN, section 6): about once a minute it decides how many workers each queue gets, and shares the
 * shards over them. Ticks that are late, early or doubled are normal: a tick covers what is due until a tick's length
 * from now, and each shard knows itself how far it has come.
 */
import { GRACE_MS } from '../core/membership.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { shareShards } from '../core/ranges.ts';
import { desiredWorkers } from '../core/scaling.ts';
import type { DeferralEvent } from '../deferral/events.ts';
import { metricLine } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';
import type { RetellEvent } from '../notifier/retell.ts';
import type { Clock, Invoker, Log } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { WorkerEvent } from '../shard-worker/events.ts';
import type { Store } from '../store/store.ts';
import { standingMetrics, tickMetrics } from './figures.ts';
import { countLoad } from './load.ts';
import type { Load } from './load.ts';
import { grantStarts } from './starts.ts';
import { currentRates } from './throttling.ts';
import { seeToUntold } from './untold.ts';

export interface DispatcherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly workers: Invoker<WorkerEvent>;
  readonly deferral: Invoker<DeferralEvent>;
  readonly notifier: Invoker<RetellEvent>;
  readonly settings: ServiceSettings;
  readonly log: Log;
}

/** How often the backstop runs over a queue. */
const SWEEP_MS = 3600 * 1000;

/** How often the executions of its deferred tasks are looked for: on every full five minutes. */
const WATCH_MS = 5 * 60 * 1000;

/** @returns a function that runs one tick. A queue's trouble is logged and is no other queue's. */
export function createDispatcher(deps: DispatcherDeps): () => Promise<void> {
  return async () => {
    const now = deps.clock.now();
    await Promise.all([dispatchAll(deps, now), seeToUntold(deps, now)]);
  };
}

async function dispatchAll(deps: DispatcherDeps, now: number): Promise<void> {
  const queues = await deps.store.queues();
  const active = queues.filter(({ idle }) => !idle);
  await Promise.all(
    active.map(async (queue) => {
      try {
        await dispatch(deps, queue, now);
      } catch (error) {
        const fields = { message: 'queue not dispatched', error: String(error) };
        logMetrics(deps, queue, { dispatch_failed: 1 }, fields, now);
      }
    }),
  );
}

async function dispatch(deps: DispatcherDeps, listed: QueueRecord, now: number): Promise<void> {
  const { store, settings, workers, deferral } = deps;
  const to = now + settings.tick_seconds * 1000;
  // The list comes from an index and may be old; the decision is written on what stands.
  const queue = (await store.queue(listed.name)) ?? listed;
  if (queue.paused) {
    await notePause(deps, queue, now);
    return;
  }
  const [shards, slots] = await Promise.all([store.shards(queue.name), store.slots(queue.name)]);
  // Only a queue that has had runs has slots, and only there they are counted.
  const load = await countedLoad(deps, queue, shards, { now, to }, slots !== undefined);
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
  const rates = currentRates(queue, shards);
  const shares = shareShards(settings.shards, scaling.desired);
  const sweeps = queue.swept_at !== undefined && now - queue.swept_at >= SWEEP_MS;
  const starts = slots && load ? await grantStarts(deps, queue, slots, load, shares, now) : [];
  const events: WorkerEvent[] = shares.map((share, index) => ({
    kind: 'tick',
    queue: queue.name,
    shards: share,
    to,
    budgets: rates.effective,
    // A worker that finds the first runs of a queue claims their slots itself.
    ...(slots === undefined ? {} : { starts: starts[index] ?? 0 }),
  }));
  if (sweeps) events.push({ kind: 'sweep', queue: queue.name });
  const watches = Math.floor(now / WATCH_MS) > Math.floor((queue.decision?.at ?? 0) / WATCH_MS);
  // A worker that could not be invoked leaves its shards to the next tick.
  const invoked = await Promise.allSettled([
    ...events.map((event) => workers.invoke(event)),
    ...(watches ? [deferral.invoke({ kind: 'watch', queue: queue.name })] : []),
  ]);
  const isRejected = ({ status }: { readonly status: string }): boolean => status === 'rejected';
  const failed = invoked.filter(isRejected).length;
  const workersRunning = shares.length - invoked.slice(0, shares.length).filter(isRejected).length;

  const idle = load?.empty === true && now - queue.active_at >= GRACE_MS && scaling.desired === 0;
  await store.saveQueue(queue, {
    ...queue,
    rev: queue.rev + 1,
    idle,
    decision: {
      at: now,
      desired: scaling.desired,
      running: load?.running ?? 0,
      queued: load?.queued ?? 0,
      reason: scaling.reason,
    },
    swept_at: sweeps || queue.swept_at === undefined ? now : queue.swept_at,
    rates: rates.lowered,
    ...(scaling.busy_at === undefined ? {} : { busy_at: scaling.busy_at }),
  });
  const metrics = {
    due: load?.queued,
    held: load?.running,
    workers_wanted: scaling.desired,
    workers_running: workersRunning,
    counting_failed: load === undefined ? 1 : undefined,
    ...standingMetrics(shards, now),
    ...tickMetrics(shards, queue.decision?.at ?? 0),
  };
  logMetrics(deps, queue, metrics, { message: 'dispatch', reason: scaling.reason, failed }, now);
}

function logMetrics(
  { settings, log }: Pick<DispatcherDeps, 'settings' | 'log'>,
  queue: QueueRecord,
  metrics: Metrics,
  fields: Parameters<Log>[0],
  now: number,
): void {
  log(metricLine(settings.metrics_namespace, { queue: queue.name }, metrics, fields, now));
}

/** A paused queue has no workers, whatever falls due in it; it says so once. */
async function notePause({ store, log }: DispatcherDeps, queue: QueueRecord, now: number): Promise<void> {
  const reason = 'the queue is paused';
  if (queue.decision?.reason === reason) return;
  const decision = { at: now, desired: 0, running: 0, queued: 0, reason };
  await store.saveQueue(queue, { ...queue, rev: queue.rev + 1, decision });
  log({ message: 'dispatch', queue: queue.name, workers_wanted: 0, reason });
}

/** @returns undefined when counting failed: a failure is not a zero. */
async function countedLoad(
  deps: DispatcherDeps,
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
