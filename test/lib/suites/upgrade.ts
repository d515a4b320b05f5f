// What an update of the table would be refused for, or would lose it: compared with the table of the last release.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { template } from '../stacks.ts';

interface Index {
  readonly IndexName: string;
}

interface Table {
  readonly DeletionPolicy: string;
  readonly UpdateReplacePolicy: string;
  readonly Properties: {
    readonly AttributeDefinitions: readonly { readonly AttributeName: string }[];
    readonly GlobalSecondaryIndexes: readonly Index[];
    readonly [name: string]: unknown;
  };
}

type Tables = Readonly<Record<string, Table>>;

/** The table as the version of its file's name deploys it. */
const released = JSON.parse(readFileSync(new URL('../released/table-0.1.0.json', import.meta.url), 'utf8')) as Tables;
const now = template.findResources('AWS::DynamoDB::GlobalTable') as unknown as Tables;

/** @returns why CloudFormation could not update one to the other in place. */
function obstacles(from: Tables, to: Tables): readonly string[] {
  return Object.entries(from).flatMap(([id, { Properties: was }]) => {
    const is = to[id]?.Properties;
    if (is === undefined) return [`${id} is gone, or has another logical id`];
    const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
    const fixed = [
      'KeySchema',
      'LocalSecondaryIndexes',
      'TableName',
      'StreamSpecification',
      'BillingMode',
      'SSESpecification',
    ];
    const names = (indexes: readonly Index[]): string[] => indexes.map(({ IndexName }) => IndexName);
    const kept = was.GlobalSecondaryIndexes.filter(({ IndexName }) =>
      names(is.GlobalSecondaryIndexes).includes(IndexName),
    );
    const added = is.GlobalSecondaryIndexes.length - kept.length;
    const removed = was.GlobalSecondaryIndexes.length - kept.length;
    return [
      ...fixed.filter((name) => !same(was[name], is[name])).map((name) => `${name} is another`),
      ...kept
        .filter((index) => !is.GlobalSecondaryIndexes.some((other) => same(other, index)))
        .map(({ IndexName }) => `${IndexName} is another`),
      ...was.AttributeDefinitions.filter((attribute) =>
        is.AttributeDefinitions.some(
          (other) => other.AttributeName === attribute.AttributeName && !same(other, attribute),
        ),
      ).map(({ AttributeName }) => `${AttributeName} has another type`),
      // DynamoDB makes or removes one index an update.
      ...(added + removed > 1 ? [`${added} indexes are added and ${removed} removed, in one update`] : []),
    ];
  });
}

describe('the table of the last release', () => {
  test('is updated in place, by one index at most', () => {
    expect(obstacles(released, now)).toEqual([]);
  });

  test('would be kept where it left the stack', () => {
    for (const id of Object.keys(released)) {
      expect(now[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  type Change = (properties: Table['Properties']) => Readonly<Record<string, unknown>>;
  const index = (name: string): unknown => ({ IndexName: name, KeySchema: [], Projection: { ProjectionType: 'ALL' } });
  test.each<readonly [string, Change, readonly string[]]>([
    ['one index more', (was) => ({ GlobalSecondaryIndexes: [...was.GlobalSecondaryIndexes, index('a')] }), []],
    [
      'two indexes more',
      (was) => ({ GlobalSecondaryIndexes: [...was.GlobalSecondaryIndexes, index('a'), index('b')] }),
      ['2 indexes are added and 0 removed, in one update'],
    ],
    [
      'one index in the place of another',
      (was) => ({ GlobalSecondaryIndexes: [...was.GlobalSecondaryIndexes.slice(1), index('a')] }),
      ['1 indexes are added and 1 removed, in one update'],
    ],
    [
      'an index with another projection',
      (was) => ({
        GlobalSecondaryIndexes: was.GlobalSecondaryIndexes.map((one) =>
          one.IndexName === 'state-index' ? { ...one, Projection: { ProjectionType: 'ALL' } } : one,
        ),
      }),
      ['state-index is another'],
    ],
    ['another key', () => ({ KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }), ['KeySchema is another']],
    ['no stream', () => ({ StreamSpecification: undefined }), ['StreamSpecification is another']],
    [
      'an attribute of another type',
      () => ({ AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'B' }] }),
      ['pk has another type'],
    ],
  ])('is compared: %s', (_, change, expected) => {
    const changed = Object.entries(released).map(([id, table]): [string, Table] => [
      id,
      { ...table, Properties: { ...table.Properties, ...change(table.Properties) } },
    ]);
    expect(obstacles(released, Object.fromEntries(changed))).toEqual(expected);
  });

  test('is missed where it is gone or has another logical id', () => {
    expect(obstacles(released, {})).toEqual([expect.stringContaining('is gone')]);
  });
});
