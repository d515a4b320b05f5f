/** Planted faults of targets: joining, leaving, sleeping, relaxing. */
import { changedStore, changedTable } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const TEN_MINUTES_MS = 600_000;

export const targets = {
  'target-deleted-without-its-grace': {
    what: 'a target that nobody is seen waiting on is deleted at once',
    rig: () => ({
      store: changedStore((store) => ({
        async goDormant(seen, now, observed) {
          const asleep = await store.goDormant(seen, now, observed);
          if (asleep) await store.deleteTarget({ ...seen, rev: seen.rev + 1 });
          return asleep;
        },
      })),
    }),
  },
  'grace-ignored': {
    what: 'nobody waits for an index to show who has just joined',
    rig: () => ({
      store: changedStore((store) => ({
        async awake(...place) {
          const found = await store.awake(...place);
          const old = found.targets.map((target) => ({
            ...target,
            joined_at: target.joined_at - TEN_MINUTES_MS,
            ...(target.dormant === undefined ? {} : { dormant: target.dormant - TEN_MINUTES_MS }),
          }));
          return { ...found, targets: old };
        },
      })),
    }),
  },
  'dormant-target-not-looked-at': {
    what: 'what has fallen asleep is left alone',
    rig: () => ({
      store: changedStore((store) => ({
        async awake(...place) {
          const found = await store.awake(...place);
          return { ...found, targets: found.targets.filter(({ dormant }) => dormant === undefined) };
        },
      })),
    }),
  },
  'relaxed-over-a-newer-joiner': {
    what: 'a target is relaxed to what was seen, whoever joined since',
    rig: () => ({
      table: changedTable('TARGET#', {
        update: (update) =>
          isRelaxing(update.change.set) ? { ...update, condition: [{ attr: 'pk', op: 'exists' }] } : update,
      }),
    }),
  },
  'join-after-put': {
    what: 'a submit puts its tasks before it joins their targets',
    rig: () => ({
      store: (store, life) => {
        if (life.name !== 'api') return store;
        const late: (() => Promise<unknown>)[] = [];
        return {
          ...store,
          async join(wanted, wantsFirstPoke) {
            late.push(() => store.join(wanted, wantsFirstPoke));
            return { target: wanted, firstPoke: wantsFirstPoke };
          },
          async addTasks(tasks) {
            const added = await store.addTasks(tasks);
            for (const join of late.splice(0)) await join();
            return added;
          },
        };
      },
    }),
  },
  'retry-without-joining': {
    what: 'a retry begins without joining its target',
    rig: () => ({
      store: changedStore(() => ({ join: async (wanted) => ({ target: wanted, firstPoke: false }) }), 'shard-worker'),
    }),
  },
  'check-not-asked-for': {
    what: 'a user takes a task away and nobody looks whether it was the last',
    rig: () => ({ store: changedStore(() => ({ requestCheck: async () => undefined }), 'api') }),
  },
} as const satisfies Readonly<Record<string, Mutant>>;

/** A relaxing sets a deadline together with the rev that it has seen; a join only lowers. */
function isRelaxing(set: object = {}): boolean {
  return 'next_deadline' in set && 'rev' in set && !('joined_at' in set);
}
