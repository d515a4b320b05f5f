import { isClean } from '../core/observation.ts';
import type { Observation } from '../core/observation.ts';
import { GRACE_MS } from '../core/membership.ts';
import type { Cadence, Known, Target, TargetId } from '../core/target.ts';
import type { StoreDeps } from './deps.ts';
import { join } from './join.ts';
import { hashcodePartition, targetKey, TTL_ATTRIBUTE } from './keys.ts';
import { orThrow, readAll } from './poison.ts';
import type { Members, Poison, Store } from './store.ts';
import type { Change, Condition, Value } from './table.ts';
import { cadenceAttributes, readTarget } from './target-item.ts';
import { readTask } from './task-item.ts';
import { toAttributes } from './value.ts';

type TargetMethods =
  | 'join'
  | 'target'
  | 'targets'
  | 'members'
  | 'observe'
  | 'goDormant'
  | 'wakeTarget'
  | 'deleteTarget'
  | 'relax'
  | 'nextGeneration'
  | 'nextHop'
  | 'requestCheck'
  | 'clearCheck';

/** The targets' part of the store. */
export function targetStore(deps: StoreDeps): Pick<Store, TargetMethods> {
  const { table, writes, onPoison } = deps;

  /** A change of what was seen: refused when anybody joined or asked for a check since. */
  async function ifSeen(seen: Target, change: Change): Promise<boolean> {
    const { done } = await writes.update({
      key: targetKey(seen),
      change: { ...change, set: { ...change.set, rev: seen.rev + 1 } },
      condition: [{ attr: 'rev', op: '=', value: seen.rev }],
    });
    return done;
  }

  return {
    join: (wanted, wantsFirstPoke) => join(deps, wanted, wantsFirstPoke),

    async target(id) {
      const item = await table.get(targetKey(id));
      return item === undefined ? undefined : orThrow(readTarget(item));
    },

    async targets(ids) {
      return readAll(await table.getMany(ids.map(targetKey)), readTarget, onPoison);
    },

    members: (id, options = {}) => members(deps, id, options),

    async observe(id, { observation, at, first_unknown_at, memory }) {
      const { done } = await table.update({
        key: targetKey(id),
        change: {
          set: toAttributes({
            observation: seenObservation(observation, at),
            first_unknown_at: first_unknown_at ?? undefined,
            memory,
          }),
          remove: first_unknown_at === null ? ['first_unknown_at'] : [],
        },
        condition: EXISTS,
      });
      return done;
    },

    async goDormant(seen, now, observed) {
      const observation = observed === undefined ? undefined : seenObservation(observed.observation, observed.at);
      const clean = observed !== undefined && isClean(observed.observation);
      const remove = clean ? ['check', 'first_unknown_at'] : ['check'];
      // Nobody comes back to delete the deferrable ones: the table forgets them by itself.
      const ownWaits = seen.mode === 'deferrable';
      const expires_at = ownWaits ? Math.ceil((now + GRACE_MS) / 1000) : undefined;
      return ifSeen(seen, {
        set: toAttributes({ dormant: now, observation, [TTL_ATTRIBUTE]: expires_at }),
        remove: ownWaits ? [...remove, 'known'] : remove,
      });
    },

    async wakeTarget(seen) {
      return ifSeen(seen, { remove: ['dormant'] });
    },

    async deleteTarget(seen) {
      const { done } = await table.delete(targetKey(seen), [
        { attr: 'rev', op: '=', value: seen.rev },
        { attr: 'dormant', op: 'exists' },
      ]);
      return done;
    },

    async relax(seen, cadence, nextDeadline) {
      // Whoever waits may sleep for as long as the slower cadence says.
      const known = seen.known === undefined ? undefined : knownOf(cadence, nextDeadline, seen.joined_at);
      return ifSeen(seen, {
        set: { ...cadenceAttributes(cadence), ...toAttributes({ next_deadline: nextDeadline, known }) },
        remove: cadence.max_wait === undefined ? ['check', 'max_wait'] : ['check'],
      });
    },

    async nextGeneration(seen, now) {
      const next = {
        generation: Math.max((seen.generation ?? 0) + 1, now),
        hop: 0,
        known: knownOf(seen, seen.next_deadline, seen.joined_at),
      };
      const begun = await ifSeen(seen, { set: toAttributes(next) });
      return begun ? { ...seen, ...next, rev: seen.rev + 1 } : undefined;
    },

    async nextHop(seen) {
      const hop = (seen.hop ?? 0) + 1;
      return (await ifSeen(seen, { set: { hop } })) ? { ...seen, hop, rev: seen.rev + 1 } : undefined;
    },

    async requestCheck(id) {
      // It raises rev: who has read the members before must not clear it.
      await writes.updateOnce(targetKey(id), { set: { check: true }, add: { rev: 1 } }, EXISTS);
    },

    async clearCheck(seen) {
      return ifSeen(seen, { remove: ['check'] });
    },
  };
}

function knownOf({ poke_interval, exponential, max_wait }: Cadence, next_deadline: number, joined_at: number): Known {
  return { poke_interval, exponential, ...(max_wait === undefined ? {} : { max_wait }), next_deadline, joined_at };
}

/** Nothing that is only noted may bring a deleted target back. */
const EXISTS: Condition = [{ attr: 'pk', op: 'exists' }];

function seenObservation(observation: Observation, at: number): Record<string, Value> {
  return { ...toAttributes(observation), at };
}

async function members(
  { table }: StoreDeps,
  id: TargetId,
  { deadlineBefore, next }: NonNullable<Parameters<Store['members']>[1]>,
): Promise<Members> {
  const page = await table.query({
    index: 'hashcode-index',
    partition: hashcodePartition(id),
    ...(deadlineBefore === undefined ? {} : { to: deadlineBefore }),
    ...(next === undefined ? {} : { next }),
  });
  const poison: Poison[] = [];
  const read = readAll(page.items, readTask, (one) => poison.push(one));
  // The index's upper bound is inclusive.
  const tasks = deadlineBefore === undefined ? read : read.filter(({ deadline }) => deadline < deadlineBefore);
  return { tasks, poison, ...(page.next === undefined ? {} : { next: page.next }) };
}
