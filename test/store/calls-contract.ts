import { describe, expect, test } from '@jest/globals';
import { BatchExecuteStatementCommand, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { updateStatement } from '../../functions/store/partiql.ts';
import type { EmulatorTable } from './emulator.ts';
import type { Kindness } from './kinder.ts';

type Ask = (table: EmulatorTable) => Promise<unknown>;

/** What DynamoDB refuses of a whole call, by the name under which an implementation may be excused. */
const CALLS = {
  '26 statements': updating(Array.from({ length: 26 }, (_, n) => `TASK#${n}`)),
  'no statement': updating([]),
  'two statements for one key': updating(['TASK#a', 'TASK#a']),
  '101 keys': reading(Array.from({ length: 101 }, (_, n) => `TASK#${n}`)),
  'no key': reading([]),
  'one key twice among keys to read': reading(['TASK#a', 'TASK#a']),
} satisfies Readonly<Record<string, Ask>>;

export type CallRefusal = keyof typeof CALLS;

/**
 * The bounds of a call. The table's batches stay within them, so its own contract cannot show that an implementation has them;
 * one that has them would show a batch that does not.
 */
export function callsContract(make: () => EmulatorTable, kinder: Kindness): void {
  describe('of a call is refused', () => {
    test.each(Object.entries<Ask>(CALLS))('%s', async (name, ask) => {
      const refused = ask(make()).then(
        () => undefined,
        ({ name: error }: Error) => error,
      );
      expect(await refused).toBe(name in kinder ? undefined : 'ValidationException');
    });

    test('not 25 statements, nor 100 keys', async () => {
      const keys = Array.from({ length: 100 }, (_, n) => `TASK#${n}`);
      await expect(updating(keys.slice(0, 25))(make())).resolves.toBeDefined();
      await expect(reading(keys)(make())).resolves.toBeDefined();
    });
  });
}

function updating(keys: readonly string[]): Ask {
  return ({ client, tableName }) => {
    const updates = keys.map((key) => ({ key, change: { set: { n: 1 } }, condition: [] }));
    const Statements = updates.map((update) => updateStatement(tableName, update));
    return client.send(new BatchExecuteStatementCommand({ Statements }));
  };
}

function reading(keys: readonly string[]): Ask {
  return ({ client, tableName }) => {
    const Keys = keys.map((pk) => ({ pk: { S: pk } }));
    return client.send(new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys } } }));
  };
}
