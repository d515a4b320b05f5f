import { describe, expect, test } from '@jest/globals';
import { tokenDigest } from '../../functions/core/identity.ts';
import type { Task } from '../../functions/core/task.ts';
import { refusedAgain } from '../../functions/core/untold.ts';
import type { Untold } from '../../functions/core/untold.ts';
import { detailOf } from '../../functions/notifier/event.ts';
import { untoldKey, untoldPartition } from '../../functions/store/keys.ts';
import type { Store } from '../../functions/store/store.ts';
import type { PageKey, Table } from '../../functions/store/table.ts';
import { toAttributes } from '../../functions/store/value.ts';
import { T0 } from '../support/tasks.ts';
import { setups } from './contract-setup.ts';

/** What every store must do with the marks of who is untold. All queues share them, and all tests of a table. */
export function untoldStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  function markOf(task: Task, fields: Partial<Untold> = {}): Untold {
    const fact = detailOf(task, 'sensing');
    return { receiver: 'bus', fact, since: T0, tries: 1, why: 'Down', wake_at: T0 + 60_000, ...fields };
  }

  /** The marks of a test's own tasks, over all pages. */
  async function own(
    store: Store,
    queue: string,
    page: { receiver?: Untold['receiver']; until?: number; limit?: number } = {},
  ) {
    const { receiver = 'bus', limit = 2, ...range } = page;
    const found: Untold[] = [];
    let next: PageKey | undefined;
    do {
      const answer = await store.untold(receiver, { ...range, limit, next });
      found.push(...answer.marks);
      next = answer.next;
    } while (next !== undefined);
    return found.filter(({ fact }) => fact.task_id.startsWith(queue));
  }

  describe('marks of who is untold', () => {
    test('are found by receiver, the earliest first, page by page, up to an instant', async () => {
      const { store, queue, task } = setup();
      const marks = [3, 1, 2].map((n) => markOf(task(`t${n}`), { wake_at: T0 + n * 1000 }));
      await store.addUntold([
        ...marks,
        markOf(task('e'), { receiver: 'execution', token: 'd1', result: { keys: ['k'] } }),
      ]);
      expect((await own(store, queue)).map(({ wake_at }) => wake_at - T0)).toEqual([1000, 2000, 3000]);
      expect(await own(store, queue, { until: T0 + 2000 })).toEqual([marks[1], marks[2]]);
      expect(await own(store, queue, { receiver: 'execution' })).toMatchObject([
        { token: 'd1', result: { keys: ['k'] } },
      ]);
    });

    test('one that is there stays as it is; two executions of a task are two', async () => {
      const { store, queue, task } = setup();
      const mark = markOf(task('a'));
      await store.addUntold([mark]);
      await store.addUntold([{ ...mark, tries: 7, since: T0 + 9 }]);
      expect(await own(store, queue)).toEqual([mark]);
      const [one, two] = ['d1', 'd2'].map((token) => markOf(task('a'), { receiver: 'execution' as const, token }));
      await store.addUntold([one!, two!, one!]);
      expect(await own(store, queue, { receiver: 'execution' })).toHaveLength(2);
    });

    test('put off by who has seen it as it is; nobody puts off what is gone, or was put off since', async () => {
      const { store, queue, task } = setup();
      const mark = markOf(task('a'));
      await store.addUntold([mark]);
      const next = refusedAgain(mark, 'Throttled', T0 + 90_000);
      await store.putOffUntold([{ seen: mark, next }]);
      await store.putOffUntold([{ seen: mark, next: { ...next, wake_at: T0 + 1 } }]);
      expect(await own(store, queue)).toEqual([next]);
      await store.forgetUntold(next);
      await store.forgetUntold(next);
      await store.putOffUntold([{ seen: next, next: refusedAgain(next, 'Throttled', T0) }]);
      expect(await own(store, queue)).toEqual([]);
    });

    test('those of a task in its present state are found by their keys, and none of another state', async () => {
      const { store, task } = setup();
      const ended = task('a', { state: 'success', callback_tokens: ['one', 'two'] });
      await store.addUntold([
        markOf(ended),
        markOf(ended, { receiver: 'execution', token: tokenDigest('two') }),
        markOf({ ...ended, state: 'failed' }),
      ]);
      const receivers = (await store.untoldOf(ended)).map(({ receiver }) => receiver);
      expect(receivers.toSorted()).toEqual(['bus', 'execution']);
      expect(await store.untoldOf(task('b', { state: 'success' }))).toEqual([]);
    });

    test('a mark of another version is read: fields that this one does not know are told, or left out', async () => {
      const { store, table, queue, task } = setup();
      const mark = markOf(task('a'));
      const key = untoldKey('bus', mark.fact.id);
      const later = { ...mark, fact: { ...mark.fact, key: 'k1', of: { later: 1 } }, later: true };
      const set = toAttributes({ ...later, shardcode: untoldPartition('bus') });
      await table.update({ key, change: { set } });
      expect(await own(store, queue)).toEqual([{ ...mark, fact: { ...mark.fact, key: 'k1', of: { later: 1 } } }]);
    });

    test('one that cannot be read is told apart, and put aside', async () => {
      const { store, table, task } = setup();
      const key = untoldKey('bus', `${task('a').id}~1#success`);
      await table.update({ key, change: { set: { shardcode: untoldPartition('bus'), wake_at: 5 } } });
      const poison = async () => {
        const page = await store.untold('bus', { until: 5, limit: 100 });
        return page.poison.filter((one) => one.key === key);
      };
      const [found] = await poison();
      expect(found?.problem).toContain('receiver');
      await store.quarantine(found!, T0);
      expect(await poison()).toEqual([]);
    });
  });
}
