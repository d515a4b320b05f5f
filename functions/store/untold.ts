import * as z from 'zod/mini';
import { tokenDigest } from '../core/identity.ts';
import { STATES, tryId } from '../core/task.ts';
import { RECEIVERS } from '../core/untold.ts';
import type { Untold } from '../core/untold.ts';
import type { StoreDeps } from './deps.ts';
import { INDEXES, TTL_ATTRIBUTE, TTL_SECONDS, untoldKey, untoldPartition } from './keys.ts';
import { parsed, readAll } from './poison.ts';
import type { Poison, Store } from './store.ts';
import type { BatchUpdate, Item, WriteAnswer } from './table.ts';
import { TableError } from './table.ts';
import { toAttributes } from './value.ts';

const { partition: PARTITION } = INDEXES['shardcode-index'];

/** Loose in what is told: a mark is told as it was written, also by a later version that knows more fields, or other ones. */
const schema = z.object({
  receiver: z.enum(RECEIVERS),
  fact: z.looseObject({
    id: z.string(),
    task_id: z.string(),
    try_id: z.string(),
    state: z.enum(STATES),
    at: z.string(),
    reason: z.exactOptional(z.string()),
  }),
  token: z.exactOptional(z.string()),
  result: z.exactOptional(z.unknown()),
  since: z.number(),
  tries: z.int(),
  why: z.string(),
  wake_at: z.number(),
} satisfies Record<keyof Untold, unknown>);

function readUntold(item: Item): Untold | Poison {
  return parsed(schema, item);
}

function untoldItem(mark: Untold): Item {
  return {
    pk: keyOf(mark),
    ...toAttributes(mark),
    [PARTITION]: untoldPartition(mark.receiver),
    [TTL_ATTRIBUTE]: Math.ceil(mark.since / 1000) + TTL_SECONDS,
  };
}

function keyOf({ receiver, fact, token }: Pick<Untold, 'receiver' | 'token'> & { readonly fact: { id: string } }) {
  return untoldKey(receiver, fact.id, token);
}

/** The marks' part of the store: who has not been told yet. */
export function untoldStore({
  table,
  writes,
  onPoison,
}: StoreDeps): Pick<Store, 'addUntold' | 'untold' | 'putOffUntold' | 'forgetUntold' | 'untoldOf'> {
  return {
    async addUntold(marks) {
      orThrow(await writes.insertMany(marks.map(untoldItem)));
    },

    async untold(receiver, { until, limit, next }) {
      const page = await table.query({
        index: 'shardcode-index',
        partition: untoldPartition(receiver),
        limit,
        ...(until === undefined ? {} : { to: until }),
        ...(next === undefined ? {} : { next }),
      });
      const poison: Poison[] = [];
      const marks = readAll(page.items, readUntold, (one) => poison.push(one));
      return { marks, poison, ...(page.next === undefined ? {} : { next: page.next }) };
    },

    async putOffUntold(moves) {
      const updates = moves.map(({ seen, next: { tries, why, wake_at } }): BatchUpdate => {
        return { key: keyOf(seen), change: { set: { tries, why, wake_at } }, condition: sameTries(seen) };
      });
      orThrow(await writes.updateMany(updates));
    },

    async forgetUntold(mark) {
      await table.delete(keyOf(mark), [{ attr: 'pk', op: 'exists' }]);
    },

    async untoldOf(task) {
      const fact = { id: `${tryId(task)}#${task.state}` };
      const executions = (task.callback_tokens ?? []).map((token) =>
        keyOf({ receiver: 'execution', fact, token: tokenDigest(token) }),
      );
      return readAll(await table.getMany([keyOf({ receiver: 'bus', fact }), ...executions]), readUntold, onPoison);
    },
  };
}

/** Who lost the race against another try leaves the mark as that one has put it off; one that is gone stays so. */
function sameTries({ tries }: Untold): BatchUpdate['condition'] {
  return [{ attr: 'tries', op: '=', value: tries }];
}

function orThrow(answers: readonly (WriteAnswer | TableError)[]): void {
  const error = answers.find((answer) => answer instanceof TableError);
  if (error !== undefined) throw error;
}
