/** No alert without its committed fact, no fact without its alert, and no execution that waits for an end that was reached. */
import { isTerminal, tryId } from '../../functions/core/task.ts';
import { LONGEST_PAUSE_MS } from '../../functions/core/untold.ts';
import type { Invariant, Watch } from './invariant.ts';

/** Whoever waits is told within so long once nothing strikes any more, ms; after a longest pause, where something has struck. */
const TOLD_MS = 180_000;

export function alerts({ fail, now, calm }: Watch): Invariant {
  const facts = new Set<string>();
  const untold = new Map<string, number>();
  const within = calm.always ? TOLD_MS : TOLD_MS + LONGEST_PAUSE_MS;
  return {
    name: 'alerts',
    task({ before, after }) {
      if (after === undefined || !(isTerminal(after.state) || after.state === 'up_for_retry')) return;
      const known = before?.state === after.state && before.try_number === after.try_number;
      if (isTerminal(after.state)) {
        // An execution waits once: who was told is gone, and a clear does not bring it back.
        const waiting = (after.callback_tokens ?? []).map((token) => `execution of ${token}`);
        for (const who of waiting) {
          if (!facts.has(who)) untold.set(who, now());
          facts.add(who);
        }
      }
      if (known) return;
      const id = `${tryId(after)}#${after.state}`;
      facts.add(id);
      untold.set(id, now());
    },
    alert({ id, state, try_id }) {
      if (!facts.has(id) || id !== `${try_id}#${state}`) fail(`an alert of ${id}, which is not committed`);
      untold.delete(id);
    },
    told({ token }) {
      const who = `execution of ${token}`;
      if (!facts.has(who)) fail(`the ${who} was told of an end that is not committed`);
      untold.delete(who);
    },
    minute() {
      for (const [id, at] of untold) {
        if (now() > Math.max(at, calm.from) + within) fail(`nobody was told of ${id}`);
      }
    },
    quiet: () => untold.size === 0,
  };
}
