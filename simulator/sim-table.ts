/**
 * One invocation's view of the table: calls take time, attempts may be throttled or lose their answer, and are repeated
 * as the SDK repeats them; a killed invocation makes no further write and hears no answer.
 */
import { TableError } from '../functions/store/table.ts';
import type { Table, WriteAnswer } from '../functions/store/table.ts';
import type { Ledger } from './ledger.ts';
import type { Faults } from './faults.ts';
import type { Life } from './life.ts';
import type { VirtualTime } from './virtual-time.ts';

/** An AWS call takes so long. */
export const CALL_MS = 50;

/** The SDK's attempts in all, and its base of the back-off. */
const ATTEMPTS = 3;
const BACK_OFF_MS = 100;

const BATCH = 25;

export interface SimTableDeps {
  readonly table: Table;
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly ledger: Ledger;
}

/** @returns the table as the invocation with this life sees it. */
export function simTable({ table, time, faults, ledger }: SimTableDeps, life: Life): Table {
  const never = new Promise<never>(() => undefined);

  async function attempt<Answer>(operation: string, isWrite: boolean, make: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const over = life.account.begin('dynamodb');
      await time.clock.sleep(CALL_MS);
      over();
      if (!life.alive()) return never;
      ledger.call('dynamodb', operation);
      const fate = faults.fate('dynamodb', operation);
      if (fate.kind === 'hang') return never;
      if (fate.kind === 'crash') life.kill();
      if (fate.kind !== 'error') {
        if (isWrite && !life.mayWrite()) return never;
        const made = make();
        if (fate.kind === 'last') life.kill();
        const answer = await life.hears(made);
        if (fate.kind !== 'lost_answer' || !isWrite) return answer;
      }
      if (tries === ATTEMPTS) {
        const error = fate.kind === 'error' ? fate.error : 'TimeoutError';
        throw new TableError(`dynamodb:${operation}: ${error}`, { throttled: /Throughput|Throttl/.test(error) });
      }
      await life.hears(time.clock.sleep(BACK_OFF_MS * 2 ** (tries - 1)));
    }
  }

  /** Each of a batch has its own fate, as each statement has its own error. */
  async function each<Input>(
    inputs: readonly Input[],
    write: (input: Input) => Promise<WriteAnswer | TableError>,
  ): Promise<readonly (WriteAnswer | TableError)[]> {
    const answers: (WriteAnswer | TableError)[] = [];
    for (let from = 0; from < inputs.length; from += BATCH) {
      const batch = inputs.slice(from, from + BATCH).map(async (input) => {
        try {
          return await attempt('BatchExecuteStatement', true, () => write(input));
        } catch (error) {
          if (error instanceof TableError) return error;
          throw error;
        }
      });
      answers.push(...(await Promise.all(batch)));
    }
    return answers;
  }

  const one = async (answers: Promise<readonly (WriteAnswer | TableError)[]>): Promise<WriteAnswer | TableError> => {
    const [answer] = await answers;
    if (answer === undefined) throw new Error('the table gave no answer to a write');
    return answer;
  };

  return {
    get: (key) => attempt('GetItem', false, () => table.get(key)),
    getMany: (keys) => attempt('BatchGetItem', false, () => table.getMany(keys)),
    query: (query) => attempt('Query', false, () => table.query(query)),
    count: (query) => attempt('Query', false, () => table.count(query)),
    update: (update) => attempt('UpdateItem', true, () => table.update(update)),
    delete: (key, condition) => attempt('DeleteItem', true, () => table.delete(key, condition)),
    updateMany: (updates) => each(updates, (update) => one(table.updateMany([update]))),
    insertMany: (items) => each(items, (item) => one(table.insertMany([item]))),
  };
}
