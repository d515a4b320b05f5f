import type { Store } from '../../functions/store/store.ts';
import type { BatchUpdate, Table, Update, WriteAnswer } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import type { Task } from '../../functions/core/task.ts';
import type { Life } from '../life.ts';
import type { Rig } from '../rig.ts';

/** A planted fault: what is wrong, and the rig that makes it so, a new one for each run. */
export interface Mutant {
  readonly what: string;
  readonly rig: () => Rig;
}

/** A table whose updates of some items are changed before they are made, and whose answers are changed after. */
export function changedTable(
  prefix: string,
  changed: {
    readonly update?: (update: Update) => Update;
    readonly many?: (update: BatchUpdate) => BatchUpdate;
    readonly answer?: (answer: WriteAnswer) => WriteAnswer;
  },
): (table: Table) => Table {
  const { update = (one) => one, many = (one) => one, answer = (one) => one } = changed;
  const isMeant = ({ key }: { readonly key: string }): boolean => key.startsWith(prefix);
  return (table) => ({
    ...table,
    async update(one) {
      return isMeant(one) ? answer(await table.update(update(one))) : table.update(one);
    },
    async updateMany(all) {
      const answers = await table.updateMany(all.map((one) => (isMeant(one) ? many(one) : one)));
      return answers.map((one, index) => {
        const key = all[index]?.key ?? '';
        return one instanceof TableError || !key.startsWith(prefix) ? one : answer(one);
      });
    },
  });
}

/** Parts of the store that are otherwise, for the invocations of one function or of all. */
export function changedStore(
  change: (store: Store, life: Life) => Partial<Store>,
  name?: Life['name'],
): NonNullable<Rig['store']> {
  return (store, life) => (name === undefined || life.name === name ? { ...store, ...change(store, life) } : store);
}

/** A store whose transitions are changed before they are written. */
export function changedMoves(change: (seen: Task, next: Task) => Task, name?: Life['name']): NonNullable<Rig['store']> {
  return changedStore(
    (store) => ({
      move: (seen, next) => store.move(seen, change(seen, next)),
      moveMany: (moves) => store.moveMany(moves.map(({ seen, next }) => ({ seen, next: change(seen, next) }))),
    }),
    name,
  );
}
