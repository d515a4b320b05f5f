/**
 * The dispatcher (DESIGN, section 6): about once a minute it decides how many workers each queue gets, within what all
 * queues together may take of the account's concurrency, and shares the shards over them. Ticks that are late, early or
 * doubled are normal: a tick covers what is due until a tick's length from now, and each shard knows itself how far it
 * has come.
 */
import { GRACE_MS } from '../core/membership.ts';
import { shareConcurrency } from '../core/concurrency.ts';
import type { Demand, Share } from '../core/concurrency.ts';
import type { QueueRecord } from '../core/queue.ts';
import { shareShards } from '../core/ranges.ts';
import { COMMON } from '../core/slots.ts';
import type { DeferralEvent } from '../deferral/events.ts';
import { metricLine } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';
import type { RetellEvent } from '../notifier/retell.ts';
import type { Clock, Invoker, Log } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { WorkerEvent } from '../shard-worker/events.ts';
import type { Store } from '../store/store.ts';
import { standingMetrics, tickMetrics } from './figures.ts';
import { decisionOf, planQueue } from './plan.ts';
import type { ActivePlan } from './plan.ts';
import { grantStarts, leaveSpare } from './starts.ts';
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
  const { store, settings } = deps;
  const active = (await store.queues()).filter(({ idle }) => !idle);
  if (active.length === 0) return;
  // Before anything is counted: what is claimed from here on is in no count. Unread they count as untouched since the
  // service began, so that more seems to be claimed than was: ticks go on, with fewer runs.
  const common = await store.slots(COMMON).catch(() => undefined);
  const plans = await Promise.all(active.map((queue) => alone(deps, queue, now, () => planQueue(deps, queue, now))));
  const turn = Math.floor(now / (settings.tick_seconds * 1000));
  const demands = plans.map((plan, index) => plan?.demand ?? goingOn(active[index]));
  const { shares, spare } = shareConcurrency(settings.max_concurrency, demands, turn);
  const isLeft = await leaveSpare(deps, common, spare);
  await Promise.all(
    plans.map(async (plan, index) => {
      const { workers, runs } = shares[index] ?? NOTHING;
      if (plan === undefined || plan.kind === 'paused') return;
      const share = { workers, runs: isLeft ? runs : plan.demand.held };
      await alone(deps, plan.queue, now, () => dispatch(deps, plan, share, now));
    }),
  );
}

const NOTHING: Demand = { workers: 0, held: 0, runs: 0 };

/** Of a queue that cannot be looked at: what ran in it at the last tick may run on. */
function goingOn(queue: QueueRecord | undefined): Demand {
  const held = queue?.decision?.running ?? 0;
  return { workers: 0, held, runs: held };
}

/** @returns what the work gives; undefined where it fails, which is logged and counted. */
async function alone<Value>(
  deps: DispatcherDeps,
  queue: QueueRecord,
  now: number,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    const fields = { message: 'queue not dispatched', error: String(error) };
    logMetrics(deps, queue, { dispatch_failed: 1 }, fields, now);
    return undefined;
  }
}

async function dispatch(deps: DispatcherDeps, plan: ActivePlan, share: Share, now: number): Promise<void> {
  const { store, settings, workers, deferral } = deps;
  const { queue, shards, slots, load, scaling, demand } = plan;
  const to = now + settings.tick_seconds * 1000;
  const rates = currentRates(queue, shards);
  const shares = shareShards(settings.shards, share.workers);
  const sweeps = queue.swept_at !== undefined && now - queue.swept_at >= SWEEP_MS;
  const most = share.runs - demand.held;
  const starts = slots && load ? await grantStarts(deps, queue, slots, load, shares, most, now) : [];
  const events: WorkerEvent[] = shares.map((own, index) => ({
    kind: 'tick',
    queue: queue.name,
    shards: own,
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
  const decision = decisionOf(plan, share, settings.max_concurrency, now);
  await store.saveQueue(queue, {
    ...queue,
    rev: queue.rev + 1,
    idle,
    decision,
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
  logMetrics(deps, queue, metrics, { message: 'dispatch', reason: decision.reason, failed }, now);
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
