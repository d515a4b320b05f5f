import { DeleteItemCommand, GetItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Random } from '../ports.ts';
import { fromPageKey, toAttribute, toItem, toPageKey } from './attributes.ts';
import { readKeys, writeStatements } from './dynamodb-batch.ts';
import type { BatchDeps } from './dynamodb-batch.ts';
import { conditionally, toTableError } from './dynamodb-errors.ts';
import { conditionExpression, createExpression, updateExpression } from './expression.ts';
import { INDEXES, PRIMARY_KEY } from './keys.ts';
import { insertStatement, updateStatement } from './partiql.ts';
import type { Item, Query, Table } from './table.ts';

/** First wait before a throttled part of a batch is sent again; doubles, with jitter. */
const BACK_OFF_MS = 50;

export interface DynamoDBTableOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
}

/** The table in DynamoDB. */
export function createDynamoDBTable({ client, tableName, sleep, random }: DynamoDBTableOptions): Table {
  const batches: BatchDeps = {
    client,
    tableName,
    backOff: (attempt) => sleep(BACK_OFF_MS * 2 ** (attempt - 1) * (0.5 + random() / 2)),
    get,
  };

  async function get(key: string): Promise<Item | undefined> {
    const { Item: found } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: keyOf(key), ConsistentRead: true }),
    );
    return found === undefined ? undefined : toItem(found);
  }

  return {
    get: (key) => named('GetItem', () => get(key)),
    getMany: (keys) => named('BatchGetItem', () => readKeys(batches, keys)),
    updateMany: (updates) =>
      named('BatchExecuteStatement', () =>
        writeStatements(
          batches,
          updates.map((update) => ({ key: update.key, request: updateStatement(tableName, update) })),
        ),
      ),
    insertMany: (items) =>
      named('BatchExecuteStatement', () =>
        writeStatements(
          batches,
          items.map((item) => ({ key: item.pk, request: insertStatement(tableName, item) })),
        ),
      ),

    update: ({ key, change, condition = [] }) =>
      named('UpdateItem', () =>
        conditionally(async () => {
          const expression = createExpression();
          const update = updateExpression(expression, change);
          const command = new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(key),
            ...(update === undefined ? {} : { UpdateExpression: update }),
            ...(condition.length === 0 ? {} : { ConditionExpression: conditionExpression(expression, condition) }),
            ...expression.parameters(),
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          });
          const { Attributes } = await client.send(command);
          return Attributes === undefined ? { done: true } : { done: true, item: toItem(Attributes) };
        }),
      ),

    delete: (key, condition) =>
      named('DeleteItem', async () => {
        const answer = await conditionally(async () => {
          const expression = createExpression();
          const command = new DeleteItemCommand({
            TableName: tableName,
            Key: keyOf(key),
            ...(condition.length === 0 ? {} : { ConditionExpression: conditionExpression(expression, condition) }),
            ...expression.parameters(),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          });
          await client.send(command);
          return { done: true };
        });
        return !answer.done && answer.item === undefined ? { done: true } : answer;
      }),

    query: (query) =>
      named('Query', async () => {
        if (isEmpty(query)) return { items: [] };
        const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(queryInput(tableName, query)));
        const items = Items.map(toItem);
        return LastEvaluatedKey === undefined ? { items } : { items, next: toPageKey(LastEvaluatedKey) };
      }),

    count: (query) =>
      named('Query', async () => {
        if (isEmpty(query)) return 0;
        let count = 0;
        let from: QueryCommandInput['ExclusiveStartKey'];
        do {
          const command = new QueryCommand({
            ...queryInput(tableName, query),
            Select: 'COUNT',
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          });
          const page = await client.send(command);
          count += page.Count ?? 0;
          from = page.LastEvaluatedKey;
        } while (from !== undefined);
        return count;
      }),
  };
}

function keyOf(key: string): QueryCommandInput['ExclusiveStartKey'] {
  return { [PRIMARY_KEY]: toAttribute(key) };
}

/** DynamoDB refuses a range that ends before it begins. */
function isEmpty({ from, to }: Query): boolean {
  return from !== undefined && to !== undefined && from > to;
}

function queryInput(tableName: string, query: Query): QueryCommandInput {
  const { partition, sort } = INDEXES[query.index];
  const expression = createExpression();
  const { from, to, without = [], only } = query;
  const conditions = [`${expression.name(partition)} = ${expression.value(query.partition)}`];
  if (from !== undefined && to !== undefined) {
    conditions.push(`${expression.name(sort)} BETWEEN ${expression.value(from)} AND ${expression.value(to)}`);
  } else if (from !== undefined) conditions.push(`${expression.name(sort)} >= ${expression.value(from)}`);
  else if (to !== undefined) conditions.push(`${expression.name(sort)} <= ${expression.value(to)}`);
  const filters = without.map((attribute) => `attribute_not_exists(${expression.name(attribute)})`);
  if (only !== undefined) filters.push(`attribute_exists(${expression.name(only)})`);
  return {
    TableName: tableName,
    IndexName: query.index,
    KeyConditionExpression: conditions.join(' AND '),
    ...(filters.length === 0 ? {} : { FilterExpression: filters.join(' AND ') }),
    ...expression.parameters(),
    ...(query.limit === undefined ? {} : { Limit: query.limit }),
    ...(query.next === undefined ? {} : { ExclusiveStartKey: fromPageKey(query.next) }),
    ScanIndexForward: query.descending !== true,
  };
}

async function named<Answer>(operation: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw toTableError(operation, error);
  }
}
