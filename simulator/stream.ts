/** The table's stream: changes of tasks, 200 ms later, up to 100 a batch, again and again until a reader has taken them. */
import { isPoison } from '../functions/store/poison.ts';
import type { StreamChange } from '../functions/store/stream.ts';
import { readTask } from '../functions/store/task-item.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Item } from '../functions/store/table.ts';
import { reaches } from './stream-filter.ts';
import type { StreamPattern } from '../functions/store/stream-patterns.ts';
import type { Outcome } from './invocations.ts';
import type { VirtualTime } from './virtual-time.ts';

const DELIVERY_MS = 200;
const REDELIVERY_MS = 1000;
const BATCH = 100;

export interface Reader {
  /** What it asks for. */
  readonly patterns: readonly StreamPattern[];
  readonly read: (changes: readonly StreamChange[]) => Promise<Outcome>;
}

export function createStream(deps: {
  readonly time: VirtualTime;
  readonly onChange: (listener: (change: TableChange) => void) => void;
  readonly readers: readonly Reader[];
}): void {
  const { time, onChange, readers } = deps;
  const waiting = new Map<Reader, StreamChange[]>(readers.map((reader) => [reader, []]));
  let due = false;

  onChange((change) => {
    const interested = readers.filter(({ patterns }) => reaches(patterns, change));
    if (interested.length === 0) return;
    const read = changeOf(change.old, change.new);
    for (const reader of interested) waiting.get(reader)?.push(read);
    if (due) return;
    due = true;
    time.at(time.now() + DELIVERY_MS, 'effect', () => {
      due = false;
      for (const [reader, changes] of waiting) {
        const asked = changes.splice(0);
        for (let from = 0; from < asked.length; from += BATCH) deliver(reader, asked.slice(from, from + BATCH));
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
    while ((await reader.read(batch)) !== 'done') await time.clock.sleep(REDELIVERY_MS);
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
