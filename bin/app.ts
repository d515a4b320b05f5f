import { App } from 'aws-cdk-lib';
import { readContext } from '../lib/context.ts';
import { SensoriumStack } from '../lib/stack.ts';

const app = new App();
new SensoriumStack(
  app,
  'Sensorium',
  readContext((key): unknown => app.node.tryGetContext(key)),
);
