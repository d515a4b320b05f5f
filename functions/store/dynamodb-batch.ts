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

/**
 * Runs conditional statements, 25 a call. A key that comes twice is written in two calls, one after the other.
 * @returns an answer for each, in order; a statement that fails takes no other with it
 */
export async function writeStatements(deps: BatchDeps, statements: readonly Statement[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const placed = statements.map((statement, place) => ({ ...statement, place }));
  for (const round of rounds(placed, ({ key }) => key)) {
    await pLimit(CALLS_AT_ONCE).map(chunks(round, STATEMENTS_A_CALL), async (batch) => {
      let open = batch;
      for (let attempt = 1; open.length > 0; attempt += 1) {
        if (attempt > 1) await deps.backOff(attempt - 1);
        const verdicts = await writeBatch(deps, open, attempt < ATTEMPTS);
        const again: typeof open = [];
        for (const [index, statement] of open.entries()) {
          const verdict = verdicts[index] ?? new TableError(`${statement.key}: no answer in its batch`);
          if (verdict === 'again') again.push(statement);
          else answers[statement.place] = verdict;
        }
        open = again;
      }
    });
  }
  return answers;
}

async function writeBatch(
  deps: BatchDeps,
  batch: readonly Statement[],
  mayRepeat: boolean,
): Promise<readonly (Answer | 'again')[]> {
  try {
    const command = new BatchExecuteStatementCommand({ Statements: batch.map(({ request }) => request) });
    const { Responses = [] } = await deps.client.send(command);
    return await Promise.all(
      batch.map(({ key }, index) =>
        verdict(deps, key, Responses[index] ?? {}, mayRepeat).catch((error: unknown) => toTableError('GetItem', error)),
      ),
    );
  } catch (error) {
    return batch.map(() => toTableError('BatchExecuteStatement', error));
  }
}

async function verdict(
  { get }: BatchDeps,
  key: string,
  { Error: error }: BatchStatementResponse,
  mayRepeat: boolean,
): Promise<Answer | 'again'> {
  if (error === undefined) return { done: true };
  const code = error.Code ?? 'unknown';
  if (code !== 'ConditionalCheckFailed' && code !== 'DuplicateItem') {
    return mayRepeat && isPassing(code) ? 'again' : statementError(key, code, error.Message);
  }
  // An insert that found its key in use does not say what stands there.
  const item = error.Item === undefined ? await get(key) : toItem(error.Item);
  return item === undefined ? { done: false } : { done: false, item };
}

/** Strongly consistent reads, 100 keys a call. Throws a TableError when keys stay unprocessed. */
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
  let open = keys;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 1) await backOff(attempt - 1);
    const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: open, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(command);
    items.push(...(Responses?.[tableName] ?? []).map(toItem));
    open = UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (open.length === 0) return items;
  }
  throw new TableError(`BatchGetItem: ${open.length} keys stay unprocessed`, { throttled: true });
}
