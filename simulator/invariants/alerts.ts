/** No alert without its committed fact, and no fact without its alert. */
import { isTerminal, tryId } from '../../functions/core/task.ts';
import type { Invariant, Watch } from './invariant.ts';

/** A fact is told of within so long once nothing strikes any more, ms. */
const TOLD_MS = 180_000;

export function alerts({ fail, now, calm }: Watch): Invariant {
  const facts = new Set<string>();
  const untold = new Map<string, number>();
  return {
    name: 'alerts',
    task({ before, after }) {
      if (after === undefined || !(isTerminal(after.state) || after.state === 'up_for_retry')) return;
      if (before?.state === after.state && before.try_number === after.try_number) return;
      const id = `${tryId(after)}#${after.state}`;
      facts.add(id);
      untold.set(id, now());
    },
    alert({ id, state, try_id }) {
      if (!facts.has(id) || id !== `${try_id}#${state}`) fail(`an alert of ${id}, which is not committed`);
      untold.delete(id);
    },
    bury: ({ id }) => void untold.delete(id),
    minute() {
      for (const [id, at] of untold) {
        if (now() > Math.max(at, calm.from) + TOLD_MS) fail(`nobody was told of ${id}`);
      }
    },
    quiet: () => untold.size === 0,
  };
}
