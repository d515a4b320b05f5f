/** Planted faults of telling those again who could not be told at once. */
import { changedStore } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const NOBODY = { marks: [], poison: [] };

export const telling = {
  'untold-not-marked': {
    what: 'who could not be told is not marked',
    rig: () => ({ store: changedStore(() => ({ addUntold: () => Promise.resolve() })) }),
  },
  'untold-not-looked-for': {
    what: 'no tick looks for marks',
    rig: () => ({ store: changedStore(() => ({ untold: () => Promise.resolve(NOBODY) }), 'dispatcher') }),
  },
  'untold-forgotten-before-told': {
    what: 'a mark is deleted before its receiver is told, and not after',
    rig: () => ({
      store: changedStore(
        (store) => ({
          async untold(receiver, page) {
            const found = await store.untold(receiver, page);
            await Promise.all(found.marks.map((mark) => store.forgetUntold(mark)));
            return found;
          },
        }),
        'notifier',
      ),
    }),
  },
} as const satisfies Readonly<Record<string, Mutant>>;
