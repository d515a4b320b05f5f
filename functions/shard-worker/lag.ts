import { nextDue } from '../core/cadence.ts';
import type { Schedule } from '../core/cadence.ts';
import type { Candidate } from '../core/plan.ts';
import type { ShardRecord } from '../core/queue.ts';

/** How late the pokes of a run are; all instants epoch ms. */
export interface Lag {
  /** A poke is due, or will be; once it is made, the next one is due by its schedule. */
  expect(key: string, due: number, schedule: Schedule): void;
  /** It was made. What an interval under the tick makes due again in the same run is not measured. */
  poked(key: string, at: number): void;
  /** @returns how late the latest poke was, ms; 0 where all were in time. */
  latestMs(): number;
  /** @returns since when the oldest of these is due; undefined where there is none. */
  oldest(keys: Iterable<string>): number | undefined;
}

export function createLag(startedAt: number): Lag {
  const expected = new Map<string, { readonly due: number; readonly schedule: Schedule }>();
  const made = new Map<string, number>();
  let latest = 0;
  return {
    expect: (key, due, schedule) => void expected.set(key, { due, schedule }),
    poked(key, at) {
      if (!made.has(key)) latest = Math.max(latest, at - (expected.get(key)?.due ?? at));
      made.set(key, at);
    },
    latestMs: () => latest,
    oldest(keys) {
      const since = [...keys].map((key) => {
        const one = expected.get(key);
        if (one === undefined) return startedAt;
        const at = made.get(key);
        return at === undefined ? one.due : nextDue(one.schedule, at);
      });
      return since.length === 0 ? undefined : since.reduce((a, b) => Math.min(a, b));
    },
  };
}

/**
 * @returns since when a target's next poke is due, epoch ms; it may lie ahead. Of what is owed only the shard's oldest is
 * known: no poke is later than this says.
 */
export function dueSince({ key, schedule, from, urgent }: Candidate, record: ShardRecord): number {
  if (urgent && record.owed.includes(key)) return record.owed_since ?? record.ticked_through;
  // A shard that nothing was due in for long is not late with what has joined since.
  return nextDue(schedule, Math.max(from, schedule.startMs));
}
