// The stacks that the tests look at, made once.
import { App, RemovalPolicy } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { SensoriumProps } from '../../lib/sensorium.ts';
import { SensoriumStack } from '../../lib/stack.ts';

const ALLOW = ['arn:aws:s3:::landing/*', 'arn:aws:elasticmapreduce:eu-west-1:*:cluster/*'];

/** Of a table that an earlier stack has left. */
export const STREAM = 'arn:aws:dynamodb:eu-west-1:111122223333:table/Sensorium-Old/stream/2026-01-31T12:00:00.000';

/** Without bundling: the functions' code is not what is tested here. */
export const newApp = (): App => new App({ context: { 'aws:cdk:bundling-stacks': [] } });

export function stackOf(props: Partial<SensoriumProps> & StackProps = {}, id = 'Sensorium'): SensoriumStack {
  return new SensoriumStack(newApp(), id, { allow: ALLOW, analyticsReporting: false, ...props });
}

export const template = Template.fromStack(stackOf());

/** As an emulator has it: nothing to keep, nothing outside but the EMR. */
export const local = Template.fromStack(
  stackOf({ allow: [], removalPolicy: RemovalPolicy.DESTROY, emrEndpoint: 'http://127.0.0.1:4567' }),
);
