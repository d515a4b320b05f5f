import type { NewId } from '../ports.ts';
import type { BatchUpdate, Change, Item, Table, TableError, Update, WriteAnswer } from './table.ts';

/**
 * Writes that recognise themselves (DESIGN, section 3). A conditional write whose answer was lost is sent again by the
 * client, and the second one finds its condition broken by the first:
 *
 *     we  --- IF rev = 7 ---> table: rev 8, op_id ours --- x (lost)
 *     we  --- IF rev = 7 ---> table: refused, stands: rev 8, op_id ours   => it was us
 *
 * A delete needs none of this: gone is done.
 */
export interface GuardedWrites {
  /** One conditional update. */
  update(update: Update): Promise<WriteAnswer>;
  /** An update that is not conditional but must not be applied twice, because it counts. */
  updateOnce(key: string, change: Change, condition?: Update['condition']): Promise<WriteAnswer>;
  updateMany(updates: readonly BatchUpdate[]): Promise<readonly (WriteAnswer | TableError)[]>;
  insertMany(items: readonly Item[]): Promise<readonly (WriteAnswer | TableError)[]>;
}

export function createGuardedWrites(table: Table, newId: NewId): GuardedWrites {
  return {
    async update(update) {
      const marked = withOpId(update, newId());
      return recognised(await table.update(marked), marked.change.set.op_id);
    },

    async updateOnce(key, change, condition = []) {
      const op_id = newId();
      const notYet = {
        any: [
          { attr: 'op_id', op: 'missing' },
          { attr: 'op_id', op: '<>', value: op_id },
        ],
      } as const;
      const marked = { ...change, set: { ...change.set, op_id } };
      return recognised(await table.update({ key, change: marked, condition: [...condition, notYet] }), op_id);
    },

    async updateMany(updates) {
      const marked = updates.map((update) => withOpId(update, newId()));
      const answers = await table.updateMany(marked);
      return answers.map((answer, index) => recognised(answer, marked[index]?.change.set.op_id));
    },

    async insertMany(items) {
      const marked = items.map((item) => ({ ...item, op_id: newId() }));
      const answers = await table.insertMany(marked);
      return answers.map((answer, index) => recognised(answer, marked[index]?.op_id));
    },
  };
}

function withOpId<Kind extends Update | BatchUpdate>(update: Kind, op_id: string) {
  return { ...update, change: { ...update.change, set: { ...update.change.set, op_id } } };
}

function recognised<Answer extends WriteAnswer | TableError>(
  answer: Answer,
  op_id: string | undefined,
): Answer | WriteAnswer {
  if (!('done' in answer) || answer.done || answer.item === undefined) return answer;
  return op_id !== undefined && answer.item['op_id'] === op_id ? { done: true, item: answer.item } : answer;
}
