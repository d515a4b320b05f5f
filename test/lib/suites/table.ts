import { describe, expect, test } from '@jest/globals';
import { INDEXES } from '../../../functions/store/keys.ts';
import { Template } from 'aws-cdk-lib/assertions';
import { local, STREAM, stackOf, template } from '../stacks.ts';
import { all, allowed, one } from '../templates.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';

describe('the table', () => {
  test('has one key, forgets by itself, can be put back in time and tells what changed', () => {
    expect(one(TABLE)).toMatchObject({
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
  });

  test.each(Object.entries(INDEXES))('has the %s of the store', (IndexName, { partition, sort, projection }) => {
    const { GlobalSecondaryIndexes, AttributeDefinitions } = one(TABLE);
    expect(GlobalSecondaryIndexes).toContainEqual({
      IndexName,
      KeySchema: [
        { AttributeName: partition, KeyType: 'HASH' },
        { AttributeName: sort, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: projection },
    });
    expect(AttributeDefinitions).toContainEqual({ AttributeName: partition, AttributeType: 'S' });
    expect(AttributeDefinitions).toContainEqual({ AttributeName: sort, AttributeType: 'N' });
  });

  test.each([
    ['stays, and cannot be deleted by mistake', template, 'Retain', true],
    ['goes with its stack where the operator wants that', local, 'Delete', false],
  ])('%s', (_, of, DeletionPolicy, DeletionProtectionEnabled) => {
    expect(Object.values(of.findResources(TABLE))).toMatchObject([{ DeletionPolicy }]);
    expect(one(TABLE, '', of)).toMatchObject({ Replicas: [{ DeletionProtectionEnabled }] });
  });
});

describe('a table that was there before', () => {
  const adopted = Template.fromStack(stackOf({ table: STREAM }));
  const [arn = ''] = STREAM.split('/stream/');

  test('is used, and none is made', () => {
    expect(adopted.findResources(TABLE)).toEqual({});
    const variables = all('AWS::Lambda::Function', adopted).map(([, { Environment }]) => Environment.Variables);
    for (const { TABLE_NAME } of variables) expect([undefined, 'Sensorium-Old']).toContain(TABLE_NAME);
    expect(allowed('ApiFunction', adopted)).toMatchObject({
      'dynamodb:GetItem': JSON.stringify(arn),
      'dynamodb:Query': JSON.stringify([`${arn}/index/hashcode-index`, `${arn}/index/state-index`]),
    });
  });

  test('is read on: by the notifier from the oldest record, by the router from now', () => {
    const readers = all('AWS::Lambda::EventSourceMapping', adopted);
    for (const [, { EventSourceArn }] of readers) expect(EventSourceArn).toBe(STREAM);
    const from = (name: string) => readers.find(([id]) => id.includes(name))?.[1]['StartingPosition'];
    expect([from('Notifications'), from('SmartSensor')]).toEqual(['TRIM_HORIZON', 'LATEST']);
  });

  test.each(['Sensorium-Old', arn, 'arn:aws:dynamodb:eu-west-1:1:table/Old/stream/x'])(
    'is named by its stream, not by "%s"',
    (table) =>
      expect(() => stackOf({ table })).toThrow(`table is "${table}"; it should be the ARN of a table's stream`),
  );
});

describe('dead letters', () => {
  test('are encrypted and kept for two weeks', () => {
    for (const [, properties] of all('AWS::SQS::Queue')) {
      expect(properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 3600 });
    }
  });

  test('are reached over TLS only', () => {
    const policies = all('AWS::SQS::QueuePolicy');
    expect(policies).toHaveLength(all('AWS::SQS::Queue').length);
    for (const [, { PolicyDocument }] of policies) {
      expect(PolicyDocument.Statement[0]).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
    }
  });
});
