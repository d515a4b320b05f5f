import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamoDBTable } from '../../functions/store/dynamodb-table.ts';
import { INDEXES, PRIMARY_KEY } from '../../functions/store/keys.ts';
import type { Table } from '../../functions/store/table.ts';

export interface EmulatorTable {
  readonly table: Table;
  readonly client: DynamoDBClient;
  readonly tableName: string;
  drop(): Promise<void>;
}

/**
 * Makes a table of our keys and indexes, under a name of its own.
 * @param config the client's; without an endpoint the table is on AWS_ENDPOINT_URL
 */
export async function createEmulatorTable(
  prefix: string,
  config: { readonly maxAttempts?: number; readonly endpoint?: string } = {},
): Promise<EmulatorTable> {
  const { endpoint = process.env['AWS_ENDPOINT_URL'] } = config;
  if (endpoint === undefined) throw new Error('AWS_ENDPOINT_URL is not set: start the emulator first');
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const region = process.env['AWS_REGION'] ?? 'us-east-1';
  const client = new DynamoDBClient({ ...config, endpoint, region, credentials });
  const tableName = `${prefix}-${process.pid}-${Date.now()}`;
  const indexes = Object.entries(INDEXES);
  const attribute = (AttributeName: string, AttributeType: 'S' | 'N') => ({ AttributeName, AttributeType });
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        attribute(PRIMARY_KEY, 'S'),
        ...indexes.flatMap(([, { partition, sort }]) => [attribute(partition, 'S'), attribute(sort, 'N')]),
      ],
      KeySchema: [{ AttributeName: PRIMARY_KEY, KeyType: 'HASH' }],
      GlobalSecondaryIndexes: indexes.map(([IndexName, { partition, sort, projection }]) => ({
        IndexName,
        KeySchema: [
          { AttributeName: partition, KeyType: 'HASH' },
          { AttributeName: sort, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: projection },
      })),
    }),
  );
  return {
    client,
    tableName,
    table: createDynamoDBTable({ client, tableName, sleep: () => Promise.resolve(), random: () => 0.5 }),
    async drop() {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      client.destroy();
    },
  };
}
