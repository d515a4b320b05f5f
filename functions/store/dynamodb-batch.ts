import { BatchExecuteStatementCommand, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { BatchStatementRequest, BatchStatementResponse, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import { toAttribute, toItem } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { chunks, rounds } from './batches.ts';
import { isPassing, statementError, toTableError } from './dynamodb-errors.ts';
import { PRIMARY_KEY } from './keys.ts';
import type { Item, WriteAnswer } from './table.ts';
import { TableError } from './table.ts';

const STATEMENTS_A_CALL = 25;
const KEYS_A_CALL = 100;
const CALLS_AT_ONCE = 8;

/** Calls in a row that did nothing, after which the rest is given up. */
const ATTEMPTS = 6;

export interface BatchDeps {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** Waits before attempt n + 1 of what was throttled. */
  readonly backOff: (attempt: number) => Promise<void>;
  readonly get: (key: string) => Promise<Item | undefined>;
}

export interface Statement {
  readonly key: string;
  readonly request: BatchStatementRequest;
}

type Answer = WriteAnswer | TableError;

/** What became of one statement of a call; `passes`: an error that is worth another attempt. */
interface Verdict {
  readonly answer: Answer;
  readonly passes: boolean;
}

/**
 * Runs conditional statements, 25 a call. A key that comes twice is written in two calls, one after the other.
 * @returns an answer for each, in order; a statement that fails takes no other with it
 */
export async function writeStatements(deps: BatchDeps, statements: readonly Statement[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const placed = statements.map((statement, place) => ({ ...statement, place }));
  for (const round of rounds(placed, ({ key }) => key)) {
    await pLimit(CALLS_AT_ONCE).map(chunks(round, STATEMENTS_A_CALL), async (batch) => {
      const call = async (open: typeof batch): Promise<typeof batch> => {
        const verdicts = await writeBatch(deps, open);
        return open.filter(({ key, place }, index) => {
          const { answer, passes } = verdicts[index] ?? settled(new TableError(`${key}: no answer in its batch`));
          answers[place] = answer;
          return passes;
        });
      };
      // What is left over was throttled, also where others were not.
      await whileItGetsOn(batch, call, (idle) => deps.backOff(idle + 1));
    });
  }
  return answers;
}

/**
 * Calls again for what a call left over, until nothing is left or ATTEMPTS calls in a row have done nothing.
 * @param call makes one call, and returns what it left over
 * @param pause waits before the next call; it is told how many calls in a row have done nothing
 * @returns what is left
 */
async function whileItGetsOn<Thing>(
  things: Thing[],
  call: (open: Thing[]) => Promise<Thing[]>,
  pause: (idle: number) => Promise<void>,
): Promise<Thing[]> {
  let open = things;
  let idle = 0;
  while (open.length > 0) {
    const left = await call(open);
    idle = left.length < open.length ? 0 : idle + 1;
    open = left;
    if (idle === ATTEMPTS) break;
    if (open.length > 0) await pause(idle);
  }
  return open;
}

async function writeBatch(deps: BatchDeps, batch: readonly Statement[]): Promise<readonly Verdict[]> {
  try {
    const command = new BatchExecuteStatementCommand({ Statements: batch.map(({ request }) => request) });
    const { Responses = [] } = await deps.client.send(command);
    return await Promise.all(
      batch.map(({ key }, index) =>
        verdict(deps, key, Responses[index] ?? {}).catch((error: unknown) => settled(toTableError('GetItem', error))),
      ),
    );
  } catch (error) {
    return batch.map(() => settled(toTableError('BatchExecuteStatement', error)));
  }
}

function settled(answer: Answer): Verdict {
  return { answer, passes: false };
}

async function verdict({ get }: BatchDeps, key: string, { Error: error }: BatchStatementResponse): Promise<Verdict> {
  if (error === undefined) return settled({ done: true });
  const code = error.Code ?? 'unknown';
  if (code !== 'ConditionalCheckFailed' && code !== 'DuplicateItem') {
    return { answer: statementError(key, code, error.Message), passes: isPassing(code) };
  }
  // An insert that found its key in use does not say what stands there.
  const item = error.Item === undefined ? await get(key) : toItem(error.Item);
  return settled(item === undefined ? { done: false } : { done: false, item });
}

/** Strongly consistent reads, 100 keys a call. Throws a TableError when keys stay unprocessed though it asked again. */
export async function readKeys(deps: BatchDeps, keys: readonly string[]): Promise<readonly Item[]> {
  const pages = await pLimit(CALLS_AT_ONCE).map(chunks([...new Set(keys)], KEYS_A_CALL), (batch) =>
    readBatch(
      deps,
      batch.map((key) => ({ [PRIMARY_KEY]: toAttribute(key) })),
    ),
  );
  return pages.flat();
}

async function readBatch({ client, tableName, backOff }: BatchDeps, keys: Attributes[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  const call = async (open: Attributes[]): Promise<Attributes[]> => {
    const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: open, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(command);
    items.push(...(Responses?.[tableName] ?? []).map(toItem));
    return UnprocessedKeys?.[tableName]?.Keys ?? [];
  };
  // An answer ends at 16 MB, and at 1 MB of a partition: keys that are left over need not have been throttled.
  const left = await whileItGetsOn(keys, call, async (idle) => {
    if (idle > 0) await backOff(idle);
  });
  if (left.length > 0) {
    throw new TableError(`BatchGetItem: ${left.length} keys stay unprocessed`, { throttled: true });
  }
  return items;
}
