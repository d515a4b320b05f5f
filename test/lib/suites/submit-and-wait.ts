import { describe, expect, test } from '@jest/globals';
import { Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DefinitionBody, Pass, StateMachine, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ERRORS } from '../../../functions/step-functions.ts';
import { Sensorium } from '../../../lib/sensorium.ts';
import { newApp, stackOf, template } from '../stacks.ts';
import { MACHINE, all, allowed, definition, one } from '../templates.ts';

describe('the state machine SubmitAndWait', () => {
  const { StartAt, QueryLanguage, States } = definition('SubmitAndWait');

  test('is one state that waits, and one for what did not succeed', () => {
    expect(QueryLanguage).toBe('JSONata');
    expect(StartAt).toBe('Submit and wait');
    expect(Object.entries(States).map(([name, { Type }]) => [name, Type])).toEqual([
      ['Submit and wait', 'Task'],
      ['Not successful', 'Fail'],
    ]);
    expect(States['Submit and wait']).toMatchObject({
      End: true,
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Arguments: { FunctionName: 'deployed', Payload: { task: '{% $states.input.task %}' } },
    });
    expect(States['Not successful']).toMatchObject({ Error: '{% $states.input.Error %}' });
  });

  test('every Task has a timeout, one rule of retries for an error, and a catch; every state that is named is there', () => {
    for (const { Type, TimeoutSeconds, Retry = [], Catch = [], Next } of Object.values(States)) {
      const named = [...Catch.map((one) => one.Next), ...(Next === undefined ? [] : [Next])];
      for (const name of named) expect(Object.keys(States)).toContain(name);
      if (Type !== 'Task') continue;
      expect(TimeoutSeconds).toBe(365 * 24 * 3600);
      const errors = Retry.flatMap(({ ErrorEquals }) => ErrorEquals);
      expect(errors.length).toBeGreaterThan(0);
      expect(new Set(errors).size).toBe(errors.length);
      // How a task ended, and that it was refused, is the answer: trying again would only wait for it again.
      for (const error of [ERRORS.failed, ERRORS.removed, ERRORS.refused]) expect(errors).not.toContain(error);
      expect(errors).toContain(ERRORS.busy);
      expect(Catch).toMatchObject([{ ErrorEquals: ['States.ALL'], Next: 'Not successful' }]);
    }
  });

  test('logs nothing: a log of its history would hold task tokens', () => {
    expect(one(MACHINE, 'SubmitAndWait')).not.toHaveProperty('LoggingConfiguration');
  });

  test('may invoke its function and do nothing else', () => {
    expect(Object.keys(allowed('SubmitAndWait'))).toEqual(['lambda:InvokeFunction']);
  });

  test('is among the outputs', () => {
    expect(template.findOutputs('SubmitAndWaitArn')).toMatchObject({
      SubmitAndWaitArn: { Value: { Ref: expect.stringContaining('SubmitAndWait') } },
    });
  });
});

describe('the state machine of one queue', () => {
  const stack = new Stack(newApp(), 'Pipelines');
  const service = new Sensorium(stack, 'Sensorium', { allow: [] });
  const first = service.submitAndWaitIn('team-a');
  const other = service.submitAndWaitIn('team-b');
  const made = Template.fromStack(stack);
  const open = definition('SubmitAndWait').States['Submit and wait']?.Arguments?.Payload;

  test.each([
    ['team-a', 'Queueteama'],
    ['team-b', 'Queueteamb'],
  ])('says the queue %s itself, beside the task: no input reaches it', (queue, name) => {
    const { StartAt, QueryLanguage, States } = definition(name, made);
    expect([StartAt, QueryLanguage, Object.keys(States)]).toEqual([
      'Submit and wait',
      'JSONata',
      ['Submit and wait', 'Not successful'],
    ]);
    expect(States['Submit and wait']?.Arguments?.Payload).toEqual({ ...open, queue });
  });

  test('is another one for each queue, made once, and the open one names no queue', () => {
    expect(service.submitAndWaitIn('team-a')).toBe(first);
    expect(other).not.toBe(first);
    expect(open).not.toHaveProperty('queue');
    expect(all(MACHINE, made)).toHaveLength(4);
  });

  test('may invoke its function and do nothing else, and is explained to the AWS Solutions rules', () => {
    expect(Object.keys(allowed('Queueteama', made))).toEqual(['lambda:InvokeFunction']);
    const { violations } = new AwsSolutionsChecks().validateScope(stack.node.root);
    expect(violations.filter((violation) => JSON.stringify(violation).includes('Queue-team'))).toEqual([]);
  });
});

describe('task tokens', () => {
  const ANY = /:states:.*AWS::Region.*AWS::AccountId.*:stateMachine:\*/;

  test('are answered by the notifier, and refused by the function that submits', () => {
    expect(allowed('Notifier')).toMatchObject({
      'states:SendTaskSuccess': expect.stringMatching(ANY),
      'states:SendTaskFailure': expect.stringMatching(ANY),
    });
    const submit = allowed('SubmitAndWaitFunction');
    expect(submit).toMatchObject({ 'states:SendTaskFailure': expect.stringMatching(ANY) });
    expect(submit).not.toHaveProperty('states:SendTaskSuccess');
  });

  test('are explained where a stack says its account and Region, too', () => {
    const env = { account: '111122223333', region: 'eu-west-1' };
    const { violations } = new AwsSolutionsChecks().validateScope(stackOf({ env }).node.root);
    expect(violations.filter((violation) => JSON.stringify(violation).includes(':states:'))).toEqual([]);
  });
});

describe('waitFor', () => {
  const stack = new Stack(newApp(), 'Pipelines');
  const service = new Sensorium(stack, 'Sensorium', { allow: [] });
  const task = { sensor: { type: 's3_key', bucket: 'landing', key: '{% $states.input.key %}' }, retries: 1 };
  const wait = service.waitFor(stack, 'WaitForKey', { task, timeout: Timeout.duration(Duration.hours(6)) });
  wait.addCatch(new Pass(stack, 'Late'), { errors: ['States.Timeout'] });
  const definitionBody = DefinitionBody.fromChainable(wait.next(new Pass(stack, 'Load')));
  new StateMachine(stack, 'Pipeline', { definitionBody });
  const pipelines = Template.fromStack(stack);

  test('is one state of a state machine of any query language, to be chained and caught', () => {
    const { QueryLanguage, StartAt, States } = definition('Pipeline', pipelines);
    expect([QueryLanguage, StartAt]).toEqual([undefined, 'WaitForKey']);
    expect(States['WaitForKey']).toMatchObject({
      Type: 'Task',
      QueryLanguage: 'JSONata',
      Next: 'Load',
      TimeoutSeconds: 6 * 3600,
      Arguments: { Payload: { task, task_token: '{% $states.context.Task.Token %}' } },
      Retry: [{ ErrorEquals: expect.arrayContaining(['Lambda.TooManyRequestsException', ERRORS.busy]) }],
      Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Late' }],
    });
  });

  test('may hold its tasks to one queue, whatever the input is', () => {
    const other = new Stack(newApp(), 'Others');
    const bound = new Sensorium(other, 'Sensorium', { allow: [] });
    const input = '{% $states.input %}' as unknown as Record<string, unknown>;
    const state = bound.waitFor(other, 'Wait', { task: input, queue: 'team-a' });
    new StateMachine(other, 'Pipeline', { definitionBody: DefinitionBody.fromChainable(state) });
    const payload = definition('Pipeline', Template.fromStack(other)).States['Wait']?.Arguments?.Payload;
    expect(payload).toMatchObject({ task: '{% $states.input %}', queue: 'team-a' });
  });

  test('tells its visits apart, so that a loop waits anew each time', () => {
    const payload = definition('Pipeline', pipelines).States['WaitForKey']?.Arguments?.Payload;
    for (const part of [
      'Execution.Id',
      'Execution.RedriveCount',
      'State.Name',
      'State.EnteredTime',
      'Map.Item.Index',
    ]) {
      expect(payload?.['context']).toContain(`$states.context.${part}`);
    }
  });

  test('lets the state machine invoke the function', () => {
    const [[, policy] = []] = all('AWS::IAM::Policy', pipelines).filter(([id]) => id.startsWith('PipelineRole'));
    expect(JSON.stringify(policy)).toContain('lambda:InvokeFunction');
  });
});
