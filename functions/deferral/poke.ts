/**
 * One turn of an execution: poke its target, apply what was seen, say when to wake next (DESIGN, section 5). Nothing
 * is written where nothing has changed: what the execution remembers travels in its input.
 */
import { targetKey } from '../core/identity.ts';
import type { QueueRecord } from '../core/queue.ts';
import type { Target } from '../core/target.ts';
import { metricLine } from '../metrics.ts';
import { applyObservation, reviewMembers } from '../shard-worker/apply.ts';
import { pokeGroup } from '../shard-worker/poke.ts';
import { isRemarkable, runMetrics } from '../shard-worker/run.ts';
import { singleRun } from '../shard-worker/single-run.ts';
import type { DeferralDeps } from './deps.ts';
import { targetIdOf } from './events.ts';
import type { PokeAnswer, PokeEvent } from './events.ts';
import { begin, LIFE_MS, nextWake, waitUntil } from './execution.ts';

/** A poke is 9 events of an execution's history, 15 where each needs all of its attempts; 25,000 end it. */
const POKES_AN_EXECUTION = 1500;

/** All members are looked at once an hour. */
const LOOK_MS = 3600 * 1000;

/** How often the execution of a paused queue looks whether it goes on. */
const PAUSE_MS = 5 * 60 * 1000;

const DONE: PokeAnswer = { next: 'done' };

export async function pokeTarget(deps: DeferralDeps, event: PokeEvent): Promise<PokeAnswer> {
  const { store, sensors, clock } = deps;
  const seen = await store.target(targetIdOf(event));
  if (seen === undefined || seen.dormant !== undefined) return DONE;
  const now = clock.now();
  if (seen.generation !== event.generation || seen.hop !== event.hop) {
    // Whoever raised them may have died before the start: nobody is left without an execution.
    await begin(deps, seen, nextWake(sensors, seen, now));
    return DONE;
  }
  const turn = await turnOf(deps, event, seen, now);
  if (turn === undefined) return DONE;
  const { target, due, looked_at } = turn;
  const pokes = event.pokes + 1;
  if (pokes >= POKES_AN_EXECUTION || due - event.began_at > LIFE_MS) {
    const next = await store.nextHop(target);
    // Somebody changed the target meanwhile: then after the next poke.
    if (next !== undefined) {
      await begin(deps, next, due);
      return { next: 'handed_over' };
    }
  }
  return { ...event, pokes, at: waitUntil(Math.min(due, event.began_at + LIFE_MS)), looked_at, next: 'wait' };
}

/** What a turn leaves behind. */
interface Turn {
  readonly target: Target;
  /** When to wake next, epoch ms. */
  readonly due: number;
  readonly looked_at: number;
}

/** @returns undefined if nobody waits any more. */
async function turnOf(deps: DeferralDeps, event: PokeEvent, seen: Target, now: number): Promise<Turn | undefined> {
  const { store, sensors, clock, settings } = deps;
  const queue = await store.queue(event.queue);
  if (queue?.paused === true) return { target: seen, due: now + PAUSE_MS, looked_at: event.looked_at };
  const looks = now - event.looked_at >= LOOK_MS;
  const target = looks ? await stillWaited(deps, seen, now) : seen;
  const poked = target === undefined ? undefined : await pokeAndApply(deps, target, queue);
  if (poked === undefined) return undefined;
  // A clock that is behind would give the same due again.
  const after = Math.max(clock.now(), Date.parse(event.at));
  const due = poked.incomplete ? after + settings.tick_seconds * 1000 : nextWake(sensors, poked.target, after);
  return { target: poked.target, due, looked_at: looks ? now : event.looked_at };
}

/** @returns the target after a look at its members; undefined if there are none. */
async function stillWaited(deps: DeferralDeps, target: Target, now: number): Promise<Target | undefined> {
  const reviewed = await reviewMembers(deps, target, now);
  return reviewed.kind === 'awake' ? reviewed.target : undefined;
}

interface Poked {
  readonly target: Target;
  /** Some of its tasks could not be written. */
  readonly incomplete: boolean;
}

/** @returns undefined if nobody waits any more. */
async function pokeAndApply(
  deps: DeferralDeps,
  target: Target,
  queue: QueueRecord | undefined,
): Promise<Poked | undefined> {
  const run = singleRun(deps, target.queue, queue);
  const [poked] = await pokeGroup(deps, run, [{ target, first: false }]);
  if (poked === undefined) throw new Error(`${targetKey(target)}: was not poked`);
  if (isRemarkable(run)) {
    const fields = { message: 'poke', target: targetKey(target) };
    const { metrics_namespace: namespace } = deps.settings;
    deps.log(metricLine(namespace, { queue: target.queue }, runMetrics(run), fields, deps.clock.now()));
  }
  // No room in the budget: as if it had not been due.
  if (poked.kind === 'left') return { target, incomplete: false };
  const applied = await applyObservation(deps, run, target, poked.observation, poked.at);
  return applied.kind === 'dormant' ? undefined : { target: applied.target, incomplete: applied.kind === 'incomplete' };
}
