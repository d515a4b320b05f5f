/**
 * The state machine that waits (DESIGN, section 5), in the Amazon States Language: wait until the next poke, poke, choose.
 * Data, for the CDK that deploys it and for the simulator that runs it.
 */

/** Longer than the function may run. */
const TIMEOUT_SECONDS = 90;

/** What each poke that fails is given before it is made again. */
const PAUSE_SECONDS = 60;

/**
 * @param functionArn ARN of the deferral function
 * @param partition of AWS, as ARNs name it
 * @returns the definition. A poke that fails is tried three times, and then every minute, for as long as it takes: a
 * wait outlives a defect of the function, and nobody's task fails by it.
 */
export function deferralDefinition(functionArn: string, partition = 'aws') {
  return {
    Comment: 'Waits for one target of Sensorium: until its next poke is due, again and again',
    StartAt: 'Wait',
    States: {
      Wait: { Type: 'Wait', TimestampPath: '$.at', Next: 'Poke' },
      Poke: {
        Type: 'Task',
        Resource: `arn:${partition}:states:::lambda:invoke`,
        Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
        OutputPath: '$.Payload',
        TimeoutSeconds: TIMEOUT_SECONDS,
        Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 3 }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Pause' }],
        Next: 'Again?',
      },
      'Again?': {
        Type: 'Choice',
        Choices: [{ Variable: '$.next', StringEquals: 'wait', Next: 'Wait' }],
        Default: 'Done',
      },
      Pause: { Type: 'Wait', Seconds: PAUSE_SECONDS, Next: 'Poke' },
      Done: { Type: 'Succeed' },
    },
  } as const;
}
