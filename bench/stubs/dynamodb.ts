/** DynamoDB's wire form over a memory table, for one client that never races: conditions are taken for granted. */
import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { convertToAttr, marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Change, IndexName, Item, Query, Table, Value } from '../../functions/store/table.ts';
import { startStub } from './server.ts';
import type { Stub } from './server.ts';

type Attributes = Record<string, AttributeValue>;

interface Request {
  readonly Key?: Attributes;
  readonly IndexName?: IndexName;
  readonly KeyConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
  readonly Limit?: number;
}

export function startDynamoDBStub(table: Table): Promise<Stub> {
  return startStub((request, response) => {
    void answer(table, request, response);
  });
}

async function answer(table: Table, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const body = JSON.parse(await text(request)) as Request;
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  try {
    response.end(JSON.stringify(await perform(table, operation, body)));
  } catch (error) {
    response.statusCode = 400;
    response.end(JSON.stringify({ __type: 'ValidationException', message: String(error) }));
  }
}

async function perform(table: Table, operation: string, request: Request): Promise<unknown> {
  switch (operation) {
    case 'GetItem': {
      const item = await table.get(keyOf(request));
      return item === undefined ? {} : { Item: wire(item) };
    }
    case 'Query': {
      const { items } = await table.query(queryOf(request));
      return { Items: items.map(wire), Count: items.length };
    }
    case 'UpdateItem': {
      const { item } = await table.update({ key: keyOf(request), change: changeOf(request) });
      return item === undefined ? {} : { Attributes: wire(item) };
    }
    default:
      throw new Error(`the stub has no ${operation}`);
  }
}

/** What an item looks like on the wire; asked for the same ones again and again, it is made once. */
const wires = new WeakMap<Item, Attributes>();

function wire(item: Item): Attributes {
  const known = wires.get(item) ?? marshall(item);
  wires.set(item, known);
  return known;
}

function keyOf({ Key = {} }: Request): string {
  return String(unmarshall(Key)['pk']);
}

function valueOf({ ExpressionAttributeValues = {} }: Request, alias: string): Value {
  const value = ExpressionAttributeValues[alias] ?? convertToAttr(null);
  return (unmarshall({ value }) as { readonly value: Value }).value;
}

/** `#n0 = :v0`, and for the sort key `BETWEEN :v1 AND :v2`, `>= :v1` or `<= :v1`. */
function queryOf(request: Request): Query {
  const { IndexName: index, KeyConditionExpression: keys = '', Limit: limit } = request;
  if (index === undefined) throw new Error('only indexes are queried');
  const [partition = '', ...bounds] = keys.match(/:v\d+/g) ?? [];
  const [first, last] = bounds.map((alias) => Number(valueOf(request, alias)));
  const from = keys.includes('<=') ? undefined : first;
  const to = keys.includes('>=') ? undefined : keys.includes('<=') ? first : last;
  const named = valueOf(request, partition);
  if (typeof named !== 'string') throw new Error('a partition is a text');
  return {
    index,
    partition: named,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function changeOf(request: Request): Change {
  const { UpdateExpression: update = '', ExpressionAttributeNames: names = {} } = request;
  const set: Record<string, Value> = {};
  const setIfMissing: Record<string, Value> = {};
  for (const [, alias = '', ifMissing, value = ''] of update.matchAll(/(#n\d+) = (if_not_exists\(#n\d+, )?(:v\d+)/g)) {
    const name = names[alias] ?? alias;
    (ifMissing === undefined ? set : setIfMissing)[name] = valueOf(request, value);
  }
  const add: Record<string, number> = {};
  for (const [, alias = '', value = ''] of sectionOf(update, 'ADD').matchAll(/(#n\d+) (:v\d+)/g)) {
    add[names[alias] ?? alias] = Number(valueOf(request, value));
  }
  const remove = (sectionOf(update, 'REMOVE').match(/#n\d+/g) ?? []).map((alias) => names[alias] ?? alias);
  return { set, setIfMissing, add, remove };
}

function sectionOf(update: string, keyword: string): string {
  return update.match(new RegExp(`${keyword} (.*?)(?= SET | ADD | REMOVE |$)`))?.[1] ?? '';
}
