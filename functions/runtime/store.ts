import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createStore } from '../store/create-store.ts';
import type { StoreOptions } from '../store/create-store.ts';
import { createDynamoDBTable } from '../store/dynamodb-table.ts';
import type { Store } from '../store/store.ts';
import { logLine, newOpId, realClock, realRandom } from './clock.ts';

/**
 * @param joining of whoever joins targets: where events and workers find those of a sensor
 * @returns the store over the real table; an unreadable item that a listing leaves out is a line in the log.
 */
export function openStore(
  tableName: string,
  shards?: number,
  joining: Pick<StoreOptions, 'eventKeyOf' | 'codeOf'> = {},
): Store {
  const client = new DynamoDBClient({});
  const table = createDynamoDBTable({ client, tableName, sleep: (ms) => realClock.sleep(ms), random: realRandom });
  return createStore({
    table,
    newId: newOpId,
    ...(shards === undefined ? {} : { shards }),
    ...joining,
    onPoison: (poison) => {
      logLine({ message: 'unreadable record', ...poison });
    },
  });
}
