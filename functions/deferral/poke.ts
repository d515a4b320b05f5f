/**
 * One turn of an execution: poke its target, apply what was seen, say when to wake next (DESIGN, section 5). Nothing
 * is written where nothing has changed: what the execution remembers travels in its input.
 */
import { targetKey } from '../core/identity.ts';
import { ratesOf, REGULAR_SHARE, shareOf } from '../core/rates.ts';
import type { Target } from '../core/target.ts';
import { applyObservation, reviewMembers } from '../shard-worker/apply.ts';
import { pokeGroup } from '../shard-worker/poke.ts';
import { createRun } from '../shard-worker/run.ts';
import type { Run } from '../shard-worker/run.ts';
import type { DeferralDeps } from './deps.ts';
import { targetIdOf } from './events.ts';
import type { PokeAnswer, PokeEvent } from './events.ts';
import { begin, LIFE_MS, nextWake, waitUntil } from './execution.ts';

/** A poke is 9 events of an execution's history, 15 where each needs all of its attempts; 25,000 end it. */
export const POKES_AN_EXECUTION = 1500;

/** All members are looked at once an hour. */
const LOOK_MS = 3600 * 1000;

/** How often the execution of a paused queue looks whether it goes on. */
const PAUSE_MS = 5 * 60 * 1000;

const DONE: PokeAnswer = { next: 'done' };

export async function pokeTarget(deps: DeferralDeps, event: PokeEvent): Promise<PokeAnswer> {
  const { store, clock } = deps;
  const seen = await store.target(targetIdOf(event));
  if (seen === undefined || seen.dormant !== undefined) return DONE;
  const now = clock.now();
  if (seen.generation !== event.generation || seen.hop !== event.hop) {
    // Whoever raised them may have died before the start: nobody is left without an execution.
    await begin(deps, seen, nextWake(deps.sensors, seen, now));
    return DONE;
  }
  if ((await store.queue(event.queue))?.paused === true) {
    return { ...event, pokes: event.pokes + 1, at: waitUntil(now + PAUSE_MS), next: 'wait' };
  }
  const looks = seen.check === true || now - event.looked_at >= LOOK_MS;
  const target = looks ? await stillWaited(deps, seen, now) : seen;
  const poked = target === undefined ? undefined : await pokeAndApply(deps, target);
  if (poked === undefined) return DONE;
  // A clock that is behind would give the same due again.
  const after = Math.max(clock.now(), Date.parse(event.at));
  const due = poked.incomplete
    ? after + deps.settings.tick_seconds * 1000
    : nextWake(deps.sensors, poked.target, after);
  const pokes = event.pokes + 1;
  if (pokes >= POKES_AN_EXECUTION || due - event.began_at > LIFE_MS) {
    const next = await store.nextHop(poked.target);
    // Somebody changed the target meanwhile: then after the next poke.
    if (next !== undefined) {
      await begin(deps, next, due);
      return { next: 'handed_over' };
    }
  }
  const at = waitUntil(Math.min(due, event.began_at + LIFE_MS));
  return { ...event, pokes, at, looked_at: looks ? now : event.looked_at, next: 'wait' };
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
async function pokeAndApply(deps: DeferralDeps, target: Target): Promise<Poked | undefined> {
  const run = await queueRun(deps, target.queue, REGULAR_SHARE);
  const [poked] = await pokeGroup(deps, run, [{ target, first: false }]);
  if (poked === undefined) throw new Error(`${targetKey(target)}: was not poked`);
  // No room in the budget: as if it had not been due.
  if (poked.kind === 'left') return { target, incomplete: false };
  const applied = await applyObservation(deps, run, target, poked.observation, poked.at);
  return applied.kind === 'dormant' ? undefined : { target: applied.target, incomplete: applied.kind === 'incomplete' };
}

/** @returns a run within a part of the queue's rate budgets. */
export async function queueRun({ store, clock, settings }: DeferralDeps, queue: string, part: number): Promise<Run> {
  const record = await store.queue(queue);
  return createRun(clock, shareOf(ratesOf(record?.budgets ?? {}), part, 1), settings.poke_timeout_seconds * 1000);
}
