import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeStateMachineCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { NightlyStack } from '../../../examples/step-functions/stack.ts';
import type { LandingZone } from '../../../local/demo/landing-zone.ts';
import { IDENTITY } from '../../../local/identity.ts';
import { definition } from '../../lib/templates.ts';
import { openExecutions } from '../executions.ts';
import { connect } from '../service.ts';
import { openBucket } from './world.ts';

const service = connect();
const endpoint = process.env['AWS_ENDPOINT_URL'] ?? '';
const sfn = new SFNClient({ ...IDENTITY, endpoint });
const bucket = service.unique('landing');
let zone: LandingZone;
let machine = '';

/** The example's state machine, on the service that stands: a second one would take a minute to deploy. */
beforeAll(async () => {
  zone = await openBucket(service, bucket);
  const stateMachineArn = service.submitAndWaitArn;
  const { definition: standing = '', roleArn } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  const submit: string = JSON.parse(standing).States['Submit and wait'].Arguments.FunctionName;
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const text = JSON.stringify(definition('Nightly', Template.fromStack(new NightlyStack(app, 'Nightly'))));
  const made = await sfn.send(
    new CreateStateMachineCommand({
      name: service.unique('nightly'),
      definition: text.replaceAll('"deployed"', JSON.stringify(submit)),
      roleArn,
    }),
  );
  machine = made.stateMachineArn ?? '';
});

afterAll(async () => {
  await sfn.send(new DeleteStateMachineCommand({ stateMachineArn: machine }));
  sfn.destroy();
  await zone.remove();
  await service.leave();
});

test.each([
  ['goes on when the key has landed', bucket, { report: 'with orders', wait: { state: 'success' } }],
  ['goes on without it when the wait has failed', 'no-such-bucket', { report: 'without orders' }],
])('the state machine %s', async (_, where, output) => {
  await zone.land('orders/2024-01-01');
  const executions = openExecutions(endpoint, machine);
  const arn = await executions.start(service.unique('run'), { bucket: where, date: '2024-01-01' });
  expect(await executions.end(arn, 60_000)).toMatchObject({ status: 'SUCCEEDED', output });
  executions.close();
});
