/**
 * Gives dynalite what it has not, between the SDK's client and the wire: PartiQL's batches, and `ALL_OLD` on a condition that
 * failed. What AWS refuses of a batch is refused here, and what it does not document: the removal of what is not there.
 */
import { Readable } from 'node:stream';
import type { AttributeValue, BatchStatementRequest, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { putRequest, updateRequest } from './requests.ts';
import { readStatement } from './statement.ts';
import type { UpdateStatement } from './statement.ts';
import { turns } from './turns.ts';

type Handle = DynamoDBClient['config']['requestHandler']['handle'];
type Item = Record<string, AttributeValue>;

interface Reply {
  readonly status: number;
  readonly body: { readonly __type?: string; readonly message?: string; readonly Item?: Item };
}

interface StatementError {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

/** A request for one item. */
interface Keyed {
  readonly TableName?: string | undefined;
  readonly Key?: Item | undefined;
}

type Call = (operation: string, input: object) => Promise<Reply>;

const VERSION = 'DynamoDB_20120810';
const MAX_STATEMENTS = 25;

/** Puts the translation between a client and dynalite, from now on. */
export function translate(client: DynamoDBClient): void {
  const handler = client.config.requestHandler;
  const send: Handle = handler.handle.bind(handler);
  const inTurn = turns();

  handler.handle = async (request, options) => {
    const call: Call = async (operation, input) => {
      const body = JSON.stringify(input);
      const headers = {
        ...request.headers,
        'x-amz-target': `${VERSION}.${operation}`,
        'content-length': String(Buffer.byteLength(body)),
      };
      const { response } = await send({ ...request, headers, body }, options);
      return { status: response.statusCode, body: JSON.parse(await textOf(response.body)) };
    };
    const operation = operationOf(request);
    if (operation === 'BatchExecuteStatement') return wired(await batch(call, inTurn, inputOf(request).Statements));
    if (operation !== 'UpdateItem' && operation !== 'DeleteItem') return send(request, options);
    const input = inputOf(request);
    return wired(await inTurn(keyOf(input.Key), () => withOld(call, operation, input)));
  };
}

/** @returns the table's key of an item. */
function keyOf(item: Item | undefined): string {
  return item?.['pk']?.S ?? '';
}

/** A write; where its condition failed the answer has the item that stands. */
async function withOld(call: Call, operation: string, input: Keyed): Promise<Reply> {
  const reply = await call(operation, input);
  if (!isConditionFailed(reply)) return reply;
  const { body } = await call('GetItem', { TableName: input.TableName, Key: input.Key, ConsistentRead: true });
  return { status: reply.status, body: { ...reply.body, ...body } };
}

async function batch(
  call: Call,
  inTurn: ReturnType<typeof turns>,
  requests: readonly BatchStatementRequest[],
): Promise<Reply> {
  const statements = requests.map(readStatement);
  const keys = statements.flatMap((one) =>
    one === undefined ? [] : [keyOf(one.kind === 'insert' ? one.item : one.key)],
  );
  if (requests.length < 1 || requests.length > MAX_STATEMENTS) return invalid('1 to 25 statements');
  if (new Set(keys).size < keys.length) return invalid('two statements for one key');
  const Responses = await Promise.all(
    statements.map(async (one) => {
      if (one === undefined) return { Error: { Code: 'ValidationError', Message: "Statement wasn't well formed" } };
      const key = keyOf(one.kind === 'insert' ? one.item : one.key);
      const error = await inTurn(key, () =>
        one.kind === 'update' ? update(call, one) : call('PutItem', putRequest(one)).then(insertError),
      );
      return error === undefined ? {} : { Error: error };
    }),
  );
  return { status: 200, body: { Responses } as Reply['body'] };
}

async function update(call: Call, statement: UpdateStatement): Promise<StatementError | undefined> {
  const reply = await withOld(call, 'UpdateItem', updateRequest(statement, 'all'));
  if (!isConditionFailed(reply)) return errorOf(reply);
  const { Item: old } = reply.body;
  const missing = old === undefined ? undefined : statement.remove.find((name) => !(name in old));
  if (missing !== undefined && (await call('UpdateItem', updateRequest(statement, 'condition'))).status === 200) {
    return { Code: 'ValidationError', Message: `${missing} is not there` };
  }
  return { Code: 'ConditionalCheckFailed', ...(old === undefined ? {} : { Item: old }) };
}

function insertError(reply: Reply): StatementError | undefined {
  return isConditionFailed(reply) ? { Code: 'DuplicateItem' } : errorOf(reply);
}

function errorOf({ status, body }: Reply): StatementError | undefined {
  return status === 200 ? undefined : { Code: 'ValidationError', Message: body.message ?? 'no reason' };
}

function isConditionFailed({ body }: Reply): boolean {
  return body.__type?.endsWith('#ConditionalCheckFailedException') === true;
}

function invalid(message: string): Reply {
  return { status: 400, body: { __type: 'com.amazon.coral.validate#ValidationException', message } };
}

type Input = Keyed & { readonly Statements: readonly BatchStatementRequest[] };

function operationOf({ headers }: Parameters<Handle>[0]): string | undefined {
  const target = headers['x-amz-target'] as string | undefined;
  return target?.slice(VERSION.length + 1);
}

function inputOf({ body }: Parameters<Handle>[0]): Input {
  return JSON.parse(new TextDecoder().decode(body)) as Input;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

function wired({ status, body }: Reply): Awaited<ReturnType<Handle>> {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return {
    response: { statusCode: status, headers, body: Readable.from([JSON.stringify(body)]) },
  };
}
