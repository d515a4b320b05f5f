/** `npm run restore -- --from TABLE --to TABLE`: see docs/operations.md. */
import { parseArgs } from 'node:util';
import { DynamoDBClient, paginateScan, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../functions/store/attributes.ts';
import { PRIMARY_KEY } from '../functions/store/keys.ts';
import type { Item } from '../functions/store/table.ts';
import { restore } from './restore/copy.ts';

const USAGE = 'usage: npm run restore -- --from <restored table> --to <table of the service> [--dry-run]';

function options(): { readonly from: string; readonly to: string; readonly dryRun: boolean } {
  try {
    const { values } = parseArgs({
      options: { from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    });
    const { from, to, 'dry-run': dryRun } = values;
    if (!from || !to) throw new Error('--from and --to are both needed');
    if (from === to) throw new Error('--from and --to are the same table');
    return { from, to, dryRun };
  } catch (error) {
    console.error(`sensorium: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

const { from, to, dryRun } = options();
const client = new DynamoDBClient({});

async function* read(prefix: string): AsyncIterable<Item> {
  const query = {
    TableName: from,
    ConsistentRead: true,
    FilterExpression: 'begins_with(#key, :prefix)',
    ExpressionAttributeNames: { '#key': PRIMARY_KEY },
    ExpressionAttributeValues: marshall({ ':prefix': prefix }),
  };
  for await (const { Items = [] } of paginateScan({ client }, query)) for (const item of Items) yield toItem(item);
}

async function insert(item: Item): Promise<boolean> {
  const put = new PutItemCommand({
    TableName: to,
    Item: marshall(item),
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': PRIMARY_KEY },
  });
  try {
    await client.send(put);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

try {
  await restore({
    read,
    insert: dryRun ? () => Promise.resolve(true) : insert,
    report: (kind, { brought, kept }) => {
      const there = dryRun ? '' : `, ${kept} there already`;
      console.log(`${kind}s: ${brought} ${dryRun ? 'in the backup' : 'brought'}${there}`);
    },
    now: Date.now,
  });
} catch (error) {
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  console.error(`sensorium: ${why}\nNothing is half done: the same command goes on where this one ended.`);
  process.exitCode = 1;
} finally {
  client.destroy();
}
