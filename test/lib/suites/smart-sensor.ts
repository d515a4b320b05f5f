import { describe, expect, test } from '@jest/globals';
import { TERMINAL_STATES } from '../../../functions/core/task.ts';
import { all, allowed, FUNCTIONS, one } from '../templates.ts';

/** The functions that a policy lets its role invoke, by their constructs. */
function reached(policy: string): readonly string[] {
  const found = all('AWS::IAM::Policy').find(([id]) => id.includes(policy));
  const statements = found?.[1].PolicyDocument.Statement ?? [];
  return statements
    .filter(({ Action }) => [Action].flat().includes('lambda:InvokeFunction'))
    .flatMap(({ Resource }) => [Resource].flat())
    .map((arn) => FUNCTIONS.find(([construct]) => JSON.stringify(arn).includes(construct))?.[0] ?? '');
}

describe('the tick', () => {
  test('comes every minute, once, or not at all', () => {
    expect(one('AWS::Events::Rule', 'Tick')).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 } }],
    });
  });

  test.each(['Dispatcher', 'ShardWorker', 'FirstPoke', 'PokeWorker', 'Notifier'])(
    'is not made up for by %s',
    (construct) => {
      expect(one('AWS::Lambda::EventInvokeConfig', construct)).toMatchObject({
        MaximumEventAgeInSeconds: 60,
        MaximumRetryAttempts: 0,
      });
    },
  );

  test('reaches the workers, router and events the first pokes, workers the runs, and nobody else anything', () => {
    const reach = FUNCTIONS.flatMap(([construct]) => reached(`${construct}Role`).map((other) => [construct, other]));
    expect(reach).toEqual([
      ['Dispatcher', 'ShardWorker'],
      ['Dispatcher', 'DeferralFunction'],
      ['Dispatcher', 'Notifier'],
      ['ShardWorker', 'PokeWorker'],
      ['FirstPoke', 'PokeWorker'],
      ['Router', 'FirstPoke'],
      ['Router', 'DeferralFunction'],
      ['Events', 'FirstPoke'],
      ['Events', 'DeferralFunction'],
    ]);
  });

  test('is not waited for by a run: it stays for fifteen minutes, and hands over to its own function', () => {
    expect(one('AWS::Lambda::Function', 'PokeWorker')).toMatchObject({ Timeout: 900 });
    expect(reached('PokeWorkerHandsOver')).toEqual(['PokeWorker']);
    expect(one('AWS::IAM::Policy', 'PokeWorkerHandsOver')).toMatchObject({
      Roles: [{ Ref: expect.stringContaining('PokeWorkerRole') }],
    });
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

  test.each([
    ['SmartSensor', 3, 300],
    // Case N025: it goes on for as long as the stream remembers, which is a day.
    ['Notifications', -1, 23 * 3600],
  ])('of %s loses nothing and is stopped by nothing for ever', (construct, retries, seconds) => {
    expect(one('AWS::Lambda::EventSourceMapping', construct)).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: retries,
      MaximumRecordAgeInSeconds: seconds,
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
  });

  test('reaches the router where a try begins to wait', () => {
    const sensing = { state: { S: ['sensing'] } };
    const waiting = { state: { S: ['sensing', 'deferred'] } };
    const queued = { state: { S: ['queued'] }, mode: { S: ['poke', 'reschedule'] } };
    expect(patternsOf('SmartSensor')).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys, NewImage: waiting } },
      {
        eventName: ['MODIFY'],
        dynamodb: { Keys, NewImage: waiting, OldImage: { state: { S: [{ 'anything-but': ['sensing'] }] } } },
      },
      { eventName: ['MODIFY'], dynamodb: { Keys, NewImage: { ...sensing, first_poke: { BOOL: [true] } } } },
      {
        eventName: ['MODIFY'],
        dynamodb: { Keys, NewImage: { state: { S: TERMINAL_STATES } }, OldImage: { state: { S: ['deferred'] } } },
      },
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys, NewImage: queued } },
    ]);
  });

  test('reaches the notifier at every end of a task, and when a try has failed', () => {
    const told = { state: { S: [...TERMINAL_STATES, 'up_for_retry'] } };
    expect(patternsOf('Notifications')).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys, NewImage: told } },
    ]);
  });

  test('has dead letters for what the notifier could not read for a day', () => {
    expect(allowed('Notifier')['sqs:SendMessage']).toContain('NotificationsDeadLetters');
  });
});
