import { expect, test } from '@jest/globals';
import type { Receiver, Untold } from '../../functions/core/untold.ts';
import { seeToUntold } from '../../functions/dispatcher/untold.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import type { Marks } from '../../functions/store/store.ts';
import { T0 } from '../support/tasks.ts';

const fact = { id: 'a~1#success', task_id: 'a', try_id: 'a~1', state: 'success' as const, at: '2024-01-01T00:00:00Z' };

const mark = (wake: number, since: number): Untold => {
  return { receiver: 'bus', fact, since: T0 + since, tries: 1, why: 'Down', wake_at: T0 + wake };
};

/** A look at T0. */
async function look(found: Partial<Record<Receiver, Partial<Marks>>>, invoke = async () => undefined) {
  const lines: object[] = [];
  const invoked: object[] = [];
  await seeToUntold(
    {
      store: { untold: async (receiver) => ({ marks: [], poison: [], ...found[receiver] }) },
      notifier: {
        async invoke(event) {
          invoked.push(event);
          await invoke();
        },
      },
      log: (line) => void lines.push(line),
      settings: DEFAULT_SETTINGS,
    },
    T0,
  );
  return { lines, invoked };
}

test('where everybody is told nothing is said, and nobody invoked', async () => {
  expect(await look({})).toEqual({ lines: [], invoked: [] });
});

test('a mark that is due has the notifier invoked; one that is not says only for how long', async () => {
  expect((await look({ execution: { marks: [mark(0, -90)] } })).invoked).toEqual([{ kind: 'retell' }]);
  const { lines, invoked } = await look({ bus: { marks: [mark(1, -5000)] }, execution: { marks: [mark(2, -9000)] } });
  expect(invoked).toEqual([]);
  expect(lines).toMatchObject([{ message: 'untold', untold_ms: 9000, marks: 2 }]);
});

test('a mark that cannot be read is work for the notifier, too', async () => {
  const { invoked } = await look({ bus: { poison: [{ key: 'UNTOLD#bus#x', problem: 'since' }] } });
  expect(invoked).toEqual([{ kind: 'retell' }]);
});

test('what goes wrong is logged and counted, and ends no tick', async () => {
  const { lines } = await look({ bus: { marks: [mark(0, 0)] } }, () => Promise.reject(new Error('busy')));
  expect(lines.at(-1)).toMatchObject({ message: 'untold not seen to', error: 'Error: busy', dispatch_failed: 1 });
});
