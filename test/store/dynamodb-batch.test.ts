import { describe, expect, test } from '@jest/globals';
import type { BatchStatementResponse, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamoDBTable } from '../../functions/store/dynamodb-table.ts';
import { TableError } from '../../functions/store/table.ts';

interface Sent {
  readonly name: string;
  readonly input: {
    readonly Statements?: readonly { readonly Parameters: readonly { readonly S?: string }[] }[];
    readonly RequestItems?: Record<string, { readonly Keys: readonly { readonly pk: { readonly S: string } }[] }>;
  };
}

/** A table over a client that answers from a script. */
function scripted(answer: (sent: Sent, call: number) => unknown) {
  const calls: Sent[] = [];
  const waits: number[] = [];
  const client = {
    async send(command: { readonly constructor: { readonly name: string }; readonly input: Sent['input'] }) {
      const sent = { name: command.constructor.name, input: command.input };
      calls.push(sent);
      return answer(sent, calls.length);
    },
  };
  const table = createDynamoDBTable({
    client: client as unknown as DynamoDBClient,
    tableName: 't',
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
  });
  return { table, calls, waits };
}

const update = (n: number) => ({
  key: `TASK#${n}`,
  change: { set: { n } },
  condition: [{ attr: 'rev', op: '=', value: 1 }] as const,
});
const updates = (count: number) => Array.from({ length: count }, (_, n) => update(n));
const keyOf = (statement: { readonly Parameters: readonly { readonly S?: string }[] }) => statement.Parameters[1]?.S;
const failed = (Code: string): BatchStatementResponse =>
  ({ Error: { Code, Message: 'said so' } }) as BatchStatementResponse;

describe('batches of statements', () => {
  test('25 a call, each key once', async () => {
    const { table, calls } = scripted(({ input }) => ({ Responses: input.Statements?.map(() => ({})) }));
    const answers = await table.updateMany([...updates(60), update(3)]);
    expect(answers).toHaveLength(61);
    expect(answers.every((answer) => 'done' in answer && answer.done)).toBe(true);
    expect(calls.map(({ input }) => input.Statements?.length)).toEqual([25, 25, 10, 1]);
  });

  test('a throttled statement is sent again, alone, after a back-off that grows', async () => {
    const { table, calls, waits } = scripted(({ input }, call) => ({
      Responses: input.Statements?.map((statement) =>
        keyOf(statement) === 'TASK#1' && call < 3 ? failed('ThrottlingError') : {},
      ),
    }));
    expect(await table.updateMany(updates(3))).toEqual([{ done: true }, { done: true }, { done: true }]);
    expect(calls.map(({ input }) => input.Statements?.map(keyOf))).toEqual([
      ['TASK#0', 'TASK#1', 'TASK#2'],
      ['TASK#1'],
      ['TASK#1'],
    ]);
    expect(waits).toEqual([50, 100]);
  });

  test('one that stays throttled is an error of its own', async () => {
    const { table, calls, waits } = scripted(({ input }) => ({
      Responses: input.Statements?.map((statement) =>
        keyOf(statement) === 'TASK#1' ? failed('ProvisionedThroughputExceeded') : {},
      ),
    }));
    const answers = await table.updateMany(updates(2));
    expect(answers[0]).toEqual({ done: true });
    expect(answers[1]).toBeInstanceOf(TableError);
    expect(answers[1]).toMatchObject({ throttled: true, message: expect.stringContaining('TASK#1') });
    // The first call wrote the other one; the next six did nothing.
    expect(calls).toHaveLength(7);
    expect(waits).toEqual([50, 100, 200, 400, 800, 1600]);
  });

  test('as long as each call writes one it goes on', async () => {
    const { table, calls, waits } = scripted(({ input }) => ({
      Responses: input.Statements?.map((_, index) => (index === 0 ? {} : failed('ThrottlingError'))),
    }));
    const answers = await table.updateMany(updates(12));
    expect(answers).toEqual(updates(12).map(() => ({ done: true })));
    expect(calls).toHaveLength(12);
    expect(waits).toEqual(Array.from({ length: 11 }, () => 50));
  });

  test('one that is wrong is not sent again', async () => {
    const { table, calls } = scripted(() => ({ Responses: [failed('ValidationError')] }));
    expect(await table.updateMany(updates(1))).toMatchObject([{ throttled: false }]);
    expect(calls).toHaveLength(1);
  });

  test('a call that fails is an error for each of its own', async () => {
    const { table } = scripted(({ input }) => {
      if (input.Statements?.some((statement) => keyOf(statement) === 'TASK#30')) {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      }
      return { Responses: input.Statements?.map(() => ({})) };
    });
    const answers = await table.updateMany(updates(60));
    expect(answers.map((answer) => answer instanceof TableError && answer.throttled)).toEqual(
      updates(60).map((_, n) => n >= 25 && n < 50),
    );
  });

  test('what stands in the way is read when the answer does not bring it', async () => {
    const { table, calls } = scripted(({ name }) =>
      name === 'GetItemCommand' ? { Item: { pk: { S: 'TASK#0' } } } : { Responses: [failed('DuplicateItem')] },
    );
    expect(await table.insertMany([{ pk: 'TASK#0' }])).toEqual([{ done: false, item: { pk: 'TASK#0' } }]);
    expect(calls.map(({ name }) => name)).toEqual(['BatchExecuteStatementCommand', 'GetItemCommand']);
  });
});

describe('batches of keys', () => {
  const keys = ['TASK#a', 'TASK#b'];

  test('as long as each call brings one it goes on, without a wait', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `TASK#${n}`);
    const { table, calls, waits } = scripted(({ input }) => {
      const [first, ...rest] = input.RequestItems?.['t']?.Keys ?? [];
      return {
        Responses: { t: [first] },
        ...(rest.length === 0 ? {} : { UnprocessedKeys: { t: { Keys: rest } } }),
      };
    });
    expect(await table.getMany(many)).toEqual(many.map((pk) => ({ pk })));
    expect(calls).toHaveLength(40);
    expect(waits).toEqual([]);
  });

  test('a call that brings nothing is waited after, the longer the more there are in a row', async () => {
    const { table, waits } = scripted(({ input }, call) => {
      const open = input.RequestItems?.['t']?.Keys ?? [];
      const done = call === 4 || call === 7 ? 1 : 0;
      const rest = open.slice(done);
      return {
        Responses: { t: open.slice(0, done) },
        ...(rest.length === 0 ? {} : { UnprocessedKeys: { t: { Keys: rest } } }),
      };
    });
    expect(await table.getMany(keys)).toEqual(keys.map((pk) => ({ pk })));
    expect(waits).toEqual([50, 100, 200, 50, 100]);
  });

  test('what stays unprocessed is an error', async () => {
    const { table, calls } = scripted(({ input }) => ({ UnprocessedKeys: input.RequestItems }));
    await expect(table.getMany(keys)).rejects.toMatchObject({ name: 'TableError', throttled: true });
    expect(calls).toHaveLength(6);
  });
});

test('no exception of the SDK leaves the table', async () => {
  const { table } = scripted(() => {
    throw Object.assign(new Error('no'), { name: 'ProvisionedThroughputExceededException' });
  });
  const calls = [
    table.get('a'),
    table.getMany(['a']),
    table.update({ key: 'a', change: {} }),
    table.delete('a', []),
    table.query({ index: 'state-index', partition: 'p' }),
    table.count({ index: 'state-index', partition: 'p' }),
  ];
  for (const call of calls) {
    await expect(call).rejects.toMatchObject({ name: 'TableError', throttled: true, cause: expect.any(Error) });
  }
});
