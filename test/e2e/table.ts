import {
  ConditionalCheckFailedException,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  paginateScan,
  PutItemCommand,
  ResourceNotFoundException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PREFIXES, PRIMARY_KEY, queueKey } from '../../functions/store/keys.ts';
import { IDENTITY } from '../../local/identity.ts';

export type Item = Readonly<Record<string, unknown>>;

/** The service's table, past everybody who guards it. */
export interface Table {
  /** @returns an item by its key. */
  get(key: string): Promise<Item | undefined>;
  put(item: Item): Promise<void>;
  /** @returns the keys of all tasks, targets and queues, sorted. Shards are left out: ticks write them at any time. */
  keys(): Promise<readonly string[]>;
  /** Puts a queue to sleep, if there is one: ticks leave it alone until somebody submits to it. */
  sleep(queue: string): Promise<void>;
  /** Sets instants of an item back by so many ms, as if that time had passed since. */
  setBack(key: string, instants: readonly string[], ms: number): Promise<void>;
  /** Deletes another table, if there is one. */
  drop(name: string): Promise<void>;
  close(): void;
}

export function openTable(endpoint: string, TableName: string): Table {
  const client = new DynamoDBClient({ ...IDENTITY, endpoint });
  const keyOf = (key: string) => marshall({ [PRIMARY_KEY]: key });
  return {
    async get(key) {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: keyOf(key), ConsistentRead: true }));
      return Item === undefined ? undefined : unmarshall(Item);
    },
    async put(item) {
      await client.send(new PutItemCommand({ TableName, Item: marshall(item) }));
    },
    async keys() {
      const query = { TableName, ConsistentRead: true, ProjectionExpression: PRIMARY_KEY };
      const found: string[] = [];
      for await (const { Items = [] } of paginateScan({ client }, query)) {
        found.push(...Items.map((item) => String(unmarshall(item)[PRIMARY_KEY])));
      }
      return found.filter((key) => !key.startsWith(PREFIXES.shard)).toSorted();
    },
    async sleep(queue) {
      const update = new UpdateItemCommand({
        TableName,
        Key: keyOf(queueKey(queue)),
        // The rev: a dispatch that is on its way must not wake it again.
        UpdateExpression: 'SET idle = :yes ADD rev :one',
        ConditionExpression: 'attribute_exists(rev)',
        ExpressionAttributeValues: marshall({ ':yes': true, ':one': 1 }),
      });
      await client.send(update).catch((error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
    async setBack(key, instants, ms) {
      const update = new UpdateItemCommand({
        TableName,
        Key: keyOf(key),
        // The rev: nobody writes over it what was read before.
        UpdateExpression: `ADD ${instants.map((name) => `${name} :back`).join(', ')}, rev :one`,
        ConditionExpression: instants.map((name) => `attribute_exists(${name})`).join(' AND '),
        ExpressionAttributeValues: marshall({ ':back': -ms, ':one': 1 }),
      });
      await client.send(update);
    },
    async drop(name) {
      await client.send(new DeleteTableCommand({ TableName: name })).catch((error: unknown) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      });
    },
    close: () => client.destroy(),
  };
}
