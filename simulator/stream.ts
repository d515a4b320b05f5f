/** The table's stream: changes of tasks, 200 ms later, up to 100 a batch, again and again until a reader has taken them. */
import { isPoison } from '../functions/store/poison.ts';
import type { StreamChange } from '../functions/store/stream.ts';
import { readTask } from '../functions/store/task-item.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Item } from '../functions/store/table.ts';
import type { Outcome } from './invocations.ts';
import type { VirtualTime } from './virtual-time.ts';

const DELIVERY_MS = 200;
const REDELIVERY_MS = 1000;
const BATCH = 100;

type Reader = (changes: readonly StreamChange[]) => Promise<Outcome>;

export function createStream(deps: {
  readonly time: VirtualTime;
  readonly onChange: (listener: (change: TableChange) => void) => void;
  readonly readers: Readonly<Record<string, Reader>>;
}): void {
  const { time, onChange, readers } = deps;
  const waiting: StreamChange[] = [];
  let due = false;

  onChange(({ key, old, new: item }) => {
    if (!key.startsWith('TASK#')) return;
    waiting.push(changeOf(old, item));
    if (due) return;
    due = true;
    time.at(time.now() + DELIVERY_MS, 'effect', () => {
      due = false;
      const all = waiting.splice(0);
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        for (const reader of Object.values(readers)) deliver(reader, batch);
      }
    });
  });

  /** A reader has one batch at a time, in order: what it does not take holds up what comes after it. */
  const queues = new Map<Reader, Promise<void>>();

  function deliver(reader: Reader, batch: readonly StreamChange[]): void {
    queues.set(
      reader,
      (queues.get(reader) ?? Promise.resolve()).then(() => insist(reader, batch)),
    );
  }

  async function insist(reader: Reader, batch: readonly StreamChange[]): Promise<void> {
    while ((await reader(batch)) !== 'done') await time.clock.sleep(REDELIVERY_MS);
  }
}

function changeOf(old: Item | undefined, item: Item | undefined): StreamChange {
  const before = old === undefined ? undefined : readTask(old);
  const after = item === undefined ? undefined : readTask(item);
  return {
    ...(before === undefined || isPoison(before) ? {} : { before }),
    ...(after === undefined || isPoison(after) ? {} : { after }),
  };
}
