/**
 * Tasks began to wait: an execution for each of their targets that has none, or none that wakes early enough. What wants
 * a poke at once is poked here and together, so that a condition that holds already never enters Step Functions.
 */
import { targetKey } from '../core/identity.ts';
import type { Target } from '../core/target.ts';
import { metricLine } from '../metrics.ts';
import type { Applied } from '../shard-worker/apply.ts';
import { firstPokeRun, pokeAtOnce } from '../shard-worker/first-pokes.ts';
import { runMetrics } from '../shard-worker/run.ts';
import type { DeferralDeps } from './deps.ts';
import { targetIdOf } from './events.ts';
import type { StartEvent } from './events.ts';
import { begin, isServed, isYoung, nextWake } from './execution.ts';
import { rejoin } from './rejoin.ts';

type Wanted = StartEvent['targets'][number];

/** Each failed attempt means that somebody else changed the target. */
const ATTEMPTS = 10;

/** A target that an execution has to wait for. */
interface Opened {
  readonly target: Target;
  /** Poke it now, before its execution begins. */
  readonly poke: boolean;
}

/** Rejects when some of the targets could not be started, so that it is delivered again: every step may be repeated. */
export async function startTargets(deps: DeferralDeps, event: StartEvent): Promise<void> {
  const byQueue = [...Map.groupBy(event.targets, ({ queue }) => queue)];
  const failed = await Promise.all(byQueue.map(([queue, wanted]) => startQueue(deps, queue, wanted)));
  const all = failed.reduce((sum, one) => sum + one, 0);
  if (all > 0) throw new Error(`${all} of ${event.targets.length} targets were not started`);
}

/** @returns how many failed. */
async function startQueue(deps: DeferralDeps, queue: string, wanted: readonly Wanted[]): Promise<number> {
  const { store, sensors, clock, settings, log } = deps;
  const record = await store.queue(queue);
  const run = firstPokeRun(deps, queue, record);
  let failed = 0;
  const each = async <Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await run.limit(work);
    } catch (error) {
      failed += 1;
      log({ message: 'deferral not started', queue, error: String(error) });
      return undefined;
    }
  };
  const opened = (await Promise.all(wanted.map((one) => each(() => open(deps, one))))).filter((one) => !!one);
  // What was submitted to a paused queue is poked when it goes on.
  const goesOn = record?.paused !== true;
  const held = opened.flatMap(({ target, poke }) => (poke && goesOn ? [{ target, first: true }] : []));
  const tasks = new Map(wanted.map((one) => [targetKey(targetIdOf(one)), one.tasks]));
  const became = await pokeAtOnce(deps, run, held, tasks);
  const dueOf = (target: Target, applied: Applied | undefined): number => {
    const now = clock.now();
    return applied?.kind === 'incomplete' ? now + settings.tick_seconds * 1000 : nextWake(sensors, target, now);
  };
  await Promise.all(
    opened.map(async ({ target: seen }) => {
      const applied = became.get(targetKey(seen));
      if (applied?.kind === 'dormant') return;
      const target = applied?.target ?? seen;
      await each(() => begin(deps, target, dueOf(target, applied)));
    }),
  );
  const fields = { message: 'deferrals', wanted: wanted.length, opened: opened.length, ended: run.counts.ended };
  log(metricLine(settings.metrics_namespace, { queue }, runMetrics(run), fields, clock.now()));
  return failed;
}

/**
 * Sees to it that the target's generation knows all that the target needs.
 * @returns the target, if an execution of its generation has to be started; undefined if one waits, or nobody does
 */
async function open(deps: DeferralDeps, wanted: Wanted): Promise<Opened | undefined> {
  const { store, sensors, clock } = deps;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await store.target(targetIdOf(wanted));
    const now = clock.now();
    if (seen === undefined || seen.dormant !== undefined) {
      if ((await rejoin(deps, targetIdOf(wanted), wanted.tasks, now)) === 0) return undefined;
      continue;
    }
    if (isServed(sensors, seen, now)) {
      // What joined before the generation began was poked with it.
      const poke = wanted.first && seen.joined_at > (seen.generation ?? 0);
      return poke || isYoung(seen, now) ? { target: seen, poke } : undefined;
    }
    const target = await store.nextGeneration(seen, now);
    if (target !== undefined) return { target, poke: wanted.first || seen.known === undefined };
  }
  throw new Error(`${targetKey(targetIdOf(wanted))}: does not stay while it is started`);
}
