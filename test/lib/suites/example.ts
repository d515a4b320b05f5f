import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import validate from 'asl-validator';
import { NightlyStack } from '../../../examples/step-functions/stack.ts';
import { newApp } from '../stacks.ts';
import { definition } from '../templates.ts';

describe('examples/step-functions', () => {
  const stack = new NightlyStack(newApp(), 'Nightly', { analyticsReporting: false });
  const { StartAt, States } = definition('Nightly', Template.fromStack(stack));

  test('the wait is one state, and goes two ways', () => {
    expect(StartAt).toBe('Wait for orders');
    expect(Object.keys(States)).toEqual(['Wait for orders', 'Make the report', 'Report without orders']);
    expect(States[StartAt]).toMatchObject({
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Next: 'Make the report',
      Catch: [{ ErrorEquals: ['Sensorium.Failed'], Next: 'Report without orders' }],
    });
  });

  test('Step Functions would take it', () => {
    expect(validate({ StartAt, States, QueryLanguage: 'JSONata' })).toMatchObject({ isValid: true });
  });
});
