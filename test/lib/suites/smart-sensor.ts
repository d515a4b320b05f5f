import { describe, expect, test } from '@jest/globals';
import { TERMINAL_STATES } from '../../../functions/core/task.ts';
import { all, allowed, FUNCTIONS, one } from '../templates.ts';

describe('the tick', () => {
  test('comes every minute, once, or not at all', () => {
    expect(one('AWS::Events::Rule')).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 } }],
    });
  });

  test.each(['Dispatcher', 'ShardWorker', 'FirstPoke'])('is not made up for by %s', (construct) => {
    expect(one('AWS::Lambda::EventInvokeConfig', construct)).toMatchObject({
      MaximumEventAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
    });
  });

  test('reaches the shard workers, and the router the first pokes, and nobody else anything', () => {
    const reach = FUNCTIONS.flatMap(([construct]) => {
      const reached = allowed(construct)['lambda:InvokeFunction'];
      return reached === undefined ? [] : [[construct, reached]];
    });
    expect(reach).toEqual([
      ['Dispatcher', expect.stringMatching(/^\{"Fn::GetAtt":\["\w+ShardWorker\w+","Arn"\]\}$/)],
      ['Router', expect.stringMatching(/^\{"Fn::GetAtt":\["\w+FirstPoke\w+","Arn"\]\}$/)],
    ]);
  });
});

describe('the stream', () => {
  const Keys = { pk: { S: [{ prefix: 'TASK#' }] } };

  const patternsOf = (construct: string): readonly unknown[] =>
    one('AWS::Lambda::EventSourceMapping', construct).FilterCriteria.Filters.map(
      ({ Pattern }) => JSON.parse(Pattern) as unknown,
    );

  test('has two readers and no more', () => {
    expect(all('AWS::Lambda::EventSourceMapping')).toHaveLength(2);
  });

  test.each(['SmartSensor', 'Notifications'])('of %s loses nothing and is stopped by nothing for ever', (construct) => {
    expect(one('AWS::Lambda::EventSourceMapping', construct)).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: expect.any(Number),
      MaximumRecordAgeInSeconds: expect.any(Number),
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
  });

  test('reaches the router where a try begins to wait', () => {
    const sensing = { state: { S: ['sensing'] } };
    expect(patternsOf('SmartSensor')).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys, NewImage: sensing } },
      {
        eventName: ['MODIFY'],
        dynamodb: { Keys, NewImage: sensing, OldImage: { state: { S: [{ 'anything-but': ['sensing'] }] } } },
      },
      { eventName: ['MODIFY'], dynamodb: { Keys, NewImage: { ...sensing, first_poke: { BOOL: [true] } } } },
    ]);
  });

  test('reaches the notifier at every end of a task, and when a try has failed', () => {
    const told = { state: { S: [...TERMINAL_STATES, 'up_for_retry'] } };
    expect(patternsOf('Notifications')).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys, NewImage: told } },
    ]);
  });

  test('gives the notifier dead letters that it writes itself', () => {
    expect(allowed('Notifier')['sqs:SendMessage']).toContain('NotificationsDeadLetters');
  });
});
