import {
  BatchExecuteStatementCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { EMRClient, RunJobFlowCommand } from '@aws-sdk/client-emr';
import { expect, test } from '@jest/globals';
import { connect } from '../e2e/service.ts';

test('the emulator judges each statement of a batch for itself and gives the old item of one that fails', async () => {
  const dynamo = new DynamoDBClient();
  const table = `local-${process.pid}-${Date.now()}`;
  await dynamo.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  for (const pk of ['a', 'b']) {
    await dynamo.send(new PutItemCommand({ TableName: table, Item: { pk: { S: pk }, rev: { N: '1' } } }));
  }
  const update = (pk: string, seen: number) => ({
    Statement: `UPDATE "${table}" SET "state"=? SET "rev"=? WHERE "pk"=? AND "rev"=?`,
    Parameters: [{ S: 'success' }, { N: String(seen + 1) }, { S: pk }, { N: String(seen) }],
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  });
  const { Responses } = await dynamo.send(
    new BatchExecuteStatementCommand({ Statements: [update('a', 1), update('b', 7), update('none', 1)] }),
  );
  expect(Responses).toMatchObject([
    { TableName: table },
    { Error: { Code: 'ConditionalCheckFailed', Item: { pk: { S: 'b' }, rev: { N: '1' } } } },
    { Error: { Code: 'ConditionalCheckFailed' } },
  ]);
  dynamo.destroy();
});

test('EMR calls reach the stand-in', async () => {
  const emr = new EMRClient();
  const { JobFlowId } = await emr.send(new RunJobFlowCommand({ Name: 'night', Instances: {} }));
  expect(JobFlowId).toMatch(/^j-STANDIN/);
  emr.destroy();
});

test('path parameters are handed over as they were sent, or decoded where that is wanted', async () => {
  const service = connect();
  // The service decodes once. What is left of %25zz is an id that nobody has, or what does not decode.
  const isDecoded = process.env['SENSORIUM_PATH_PARAMETERS'] === 'decoded';
  const problem = isDecoded ? { status: 400, body: { field: 'id' } } : { status: 404, body: { title: 'Not Found' } };
  expect(await service.api.call('GET', '/v1/tasks/%25zz')).toMatchObject(problem);
  // A slash that is encoded parts no path; decoded it makes another route, which is none.
  expect(await service.api.call('GET', '/v1/tasks/a%2Fb')).toMatchObject({ status: isDecoded ? 403 : 404 });
  await service.leave();
});

test('a request that is too long for Lambda is refused at the door, measured with its body escaped', async () => {
  const service = connect();
  const send = (text: string) => service.api.call('POST', '/v1/tasks', undefined, { text });
  const refused = { status: 413, body: { message: 'Request Too Long' } };
  expect(await send('x'.repeat(6_291_456))).toMatchObject(refused);
  expect(await send('"'.repeat(3_145_728))).toMatchObject(refused);
  // What the envelope leaves goes through; the service takes less.
  expect(await send('x'.repeat(6_280_000))).toMatchObject({ status: 413, body: { field: 'body' } });
  expect(await send('"'.repeat(3_140_000))).toMatchObject({ status: 413, body: { field: 'body' } });
  await service.leave();
});
