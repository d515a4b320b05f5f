/**
 * One tick of some shards of a queue (DESIGN, section 6): take the leases, load what is awake, resume what is due, poke
 * what falls due, apply the observations, write each shard's record once.
 */
import { outlook, planPokes } from '../core/plan.ts';
import type { Candidate } from '../core/plan.ts';
import { targetKey } from '../core/identity.ts';
import type { Observation } from '../core/observation.ts';
import type { ShardRecord } from '../core/queue.ts';
import { applyObservation, isIdle } from './apply.ts';
import { createCallBudget } from './call-budget.ts';
import type { WorkerDeps } from './deps.ts';
import type { TickEvent } from './events.ts';
import { dueSince } from './lag.ts';
import { loadShards } from './load.ts';
import type { LoadedShard } from './load.ts';
import { groupOf, operationOf, pokeGroup } from './poke.ts';
import type { Held, Poked } from './poke.ts';
import { callsSaved, createRun, START_LIMIT_MS } from './run.ts';
import type { Run } from './run.ts';
import { scheduleOf } from './schedule.ts';
import { startDueRuns } from './start-runs.ts';

/** How long a lease holds: as long as a worker may live, and less than a tick. */
const LEASE_MS = 58_000;

/** Within so long its calls are over: what is left of the lease is for its records. */
const CALLS_MS = 56_500;

/** More groups of one operation than this in a tick are spread over it; fewer are poked at once. */
const SPREAD_ABOVE = 50;

/** A target in the tick: what is poked, for which shard, and what has become of it. */
export interface Watched extends Held {
  readonly shard: LoadedShard;
  readonly urgent: boolean;
}

/** Runs one tick. Resolves when every record is written; what fails is logged and made up for by the next tick. */
export async function runTick(deps: WorkerDeps, event: TickEvent): Promise<void> {
  const { store, clock, settings } = deps;
  const startedAt = clock.now();
  const worker = deps.newId();
  const until = startedAt + LEASE_MS;
  const leases = await Promise.all(
    event.shards.map(async (shard) => {
      try {
        return await store.takeLease(event.queue, shard, worker, startedAt, until);
      } catch (error) {
        // Taken or not, it is left to the next tick; the other shards are not held up.
        deps.log({ message: 'lease not taken', shard, error: String(error) });
        return undefined;
      }
    }),
  );
  const records = leases.filter((record) => record !== undefined);
  if (records.length === 0) return;

  const owned = new Set(records.map(({ shard }) => shard));
  const holder = { kind: 'tick', shards: settings.shards, owned } as const;
  const budget = createCallBudget(deps, { queue: event.queue, rates: event.budgets, holder });
  const startBy = (): number => startedAt + START_LIMIT_MS;
  const run = createRun(clock, budget, settings.poke_timeout_seconds * 1000, startBy, startedAt + CALLS_MS);
  const shards = await loadShards(deps, run, records, event);
  const due = shards.flatMap(({ runs }) => runs);
  const starting = startDueRuns(deps, run, event, due);
  const watched = new Map(shards.flatMap(({ watched }) => watched).map((one) => [targetKey(one.target), one]));
  const candidates = [...watched.values()].map((one) => candidateOf(deps, one));
  for (const candidate of candidates) expectPoke(run, candidate, watched);
  const plan = planPokes(candidates, {
    now: clock.now(),
    to: event.to,
    startBy: run.startBy,
    spreadAbove: SPREAD_ABOVE,
    room: (operation) => budget.shareIn(operation, settings.tick_seconds * 1000),
  });
  for (const key of plan.owed) watched.get(key)?.shard.owed.add(key);
  await pokeRounds(deps, run, plan.rounds, watched);
  await starting;
  run.close();
  await Promise.all(shards.map((shard) => closeShard(deps, run, shard, event, worker, watched)));
  deps.log({
    message: 'tick',
    queue: event.queue,
    shards: records.length,
    ...run.counts,
    ms: clock.now() - run.startedAt,
  });
}

function candidateOf({ sensors }: WorkerDeps, { target, shard, urgent }: Watched): Candidate {
  const operation = sensors.operationOf(target.sensor);
  const owed = shard.record.owed.includes(targetKey(target));
  return {
    key: targetKey(target),
    schedule: scheduleOf(sensors, target),
    group: groupOf(sensors, target),
    from: shard.record.ticked_through,
    urgent: urgent || owed,
    ...(operation === undefined ? {} : { operation }),
  };
}

function expectPoke({ lag }: Run, candidate: Candidate, watched: ReadonlyMap<string, Watched>): void {
  const record = watched.get(candidate.key)?.shard.record;
  if (record !== undefined) lag.expect(candidate.key, dueSince(candidate, record), candidate.schedule);
}

type Rounds = ReturnType<typeof planPokes>['rounds'];

/** Starts each round at its time. Rounds overlap: a slow answer holds nobody up. */
async function pokeRounds(deps: WorkerDeps, run: Run, rounds: Rounds, watched: Map<string, Watched>): Promise<void> {
  const running: Promise<void>[] = [];
  for (const { startAt, keys } of rounds) {
    // Nobody of it waits any more: a worker that has nothing left to do goes home and gives its leases back.
    if (!keys.some((key) => watched.has(key))) continue;
    const wait = startAt - deps.clock.now();
    if (wait > 0) await deps.clock.sleep(wait);
    // What ended since the plan was made (a second poke in the tick) is not in the map any more.
    const held = keys.map((key) => watched.get(key)).filter((one) => one !== undefined);
    const groups =
      held.length === 1 ? [held] : Map.groupBy(held, ({ target }) => groupOf(deps.sensors, target)).values();
    for (const group of groups) running.push(pokeAndApply(deps, run, group, watched));
  }
  await Promise.all(running);
}

async function pokeAndApply(
  deps: WorkerDeps,
  run: Run,
  group: readonly Watched[],
  watched: Map<string, Watched>,
): Promise<void> {
  const poked = await run.poke(operationOf(deps, group), () => pokeGroup(deps, run, group));
  await Promise.all(poked.map((one) => settle(deps, run, one, watched)));
}

async function settle(deps: WorkerDeps, run: Run, poked: Poked, watched: Map<string, Watched>): Promise<void> {
  const key = targetKey(poked.held.target);
  const one = watched.get(key);
  if (one === undefined) return;
  if (poked.kind === 'left') {
    one.shard.owed.add(key);
    return;
  }
  const { observation, at } = poked;
  run.lag.poked(key, at);
  if (isIdle(deps, one.target, observation, at)) {
    if (one.first) watched.set(key, { ...one, first: false });
    return;
  }
  await run.limit(() => applyChange(deps, run, key, observation, at, watched));
}

async function applyChange(
  deps: WorkerDeps,
  run: Run,
  key: string,
  observation: Observation,
  at: number,
  watched: Map<string, Watched>,
): Promise<void> {
  // The record as the last poke of this tick has left it.
  const one = watched.get(key);
  if (one === undefined) return;
  try {
    const applied = await applyObservation(deps, run, one.target, observation, at);
    if (applied.kind === 'dormant') {
      watched.delete(key);
      one.shard.dormant.add(key);
      return;
    }
    watched.set(key, { ...one, target: applied.target, first: false });
    if (applied.kind === 'incomplete') one.shard.owed.add(key);
  } catch (error) {
    one.shard.owed.add(key);
    deps.log({ message: 'target failed', target: key, error: String(error) });
  }
}

/** Writes the shard's record: the one write of the run, and the lease's end. */
async function closeShard(
  deps: WorkerDeps,
  run: Run,
  shard: LoadedShard,
  event: TickEvent,
  worker: string,
  watched: Map<string, Watched>,
): Promise<void> {
  const own = [...watched.values()].filter((one) => one.shard === shard);
  const schedules = own.map(({ target }) => scheduleOf(deps.sensors, target));
  const tickMs = deps.settings.tick_seconds * 1000;
  const { next_due_at, due } = outlook(schedules, shard.wakes, shard.owed.size, event.to, tickMs);
  const { lease_owner: _o, lease_until: _u, owed_since: _s, ...kept } = shard.record;
  const owedSince = run.lag.oldest(shard.owed);
  const record: ShardRecord = {
    ...kept,
    ticked_through: Math.max(shard.record.ticked_through, event.to),
    owed: [...shard.owed],
    ...(owedSince === undefined ? {} : { owed_since: owedSince }),
    forecast: {
      at: shard.loadedAt,
      due,
      recent: shard.recent,
      dormant: shard.dormant.size,
      ...(next_due_at === undefined ? {} : { next_due_at }),
    },
    statistics: {
      at: run.startedAt,
      worker,
      ...run.counts,
      targets: own.length,
      calls_saved: callsSaved(run),
      poke_lag_ms: run.lag.latestMs(),
      throttled_by: run.throttledBy,
    },
  };
  try {
    if (!(await deps.store.saveShard(record, worker))) deps.log({ message: 'lease lost', shard: shard.record.shard });
  } catch (error) {
    // ticked_through stays where it was: the next tick makes up for this one.
    deps.log({ message: 'shard not saved', shard: shard.record.shard, error: String(error) });
  }
}
