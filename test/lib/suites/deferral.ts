import { describe, expect, test } from '@jest/globals';
import validate from 'asl-validator';
import { template } from '../stacks.ts';
import { MACHINE, all, allowed, definition, one } from '../templates.ts';

describe('every state machine', () => {
  const names = all(MACHINE).map(([id]) => id);

  test.each(names)('%s is right by the rules of the language', (id) => {
    expect(validate(definition(id)).errors).toEqual([]);
  });

  test.each(names)('%s has a timeout, a rule of retries and a catch on each of its tasks', (id) => {
    const tasks = Object.values(definition(id).States).filter(({ Type }) => Type === 'Task');
    expect(tasks).not.toHaveLength(0);
    for (const { TimeoutSeconds, Retry, Catch } of tasks) {
      expect(TimeoutSeconds).toBeGreaterThan(0);
      // One rule for an error: the CDK adds six attempts of its own where it is not told otherwise.
      const errors = (Retry ?? []).flatMap(({ ErrorEquals }) => ErrorEquals);
      expect(errors).not.toHaveLength(0);
      expect(new Set(errors).size).toBe(errors.length);
      expect(Catch).not.toHaveLength(0);
    }
  });
});

describe('the state machine that waits', () => {
  const { StartAt, States } = definition('DeferralStateMachine');

  test('waits until an instant, pokes, and chooses; what fails goes on after a minute', () => {
    expect(StartAt).toBe('Wait');
    expect(States['Wait']).toEqual({ Type: 'Wait', TimestampPath: '$.at', Next: 'Poke' });
    expect(States['Poke']).toMatchObject({ Type: 'Task', Next: 'Again?', Catch: [{ Next: 'Pause' }] });
    expect(States['Again?']).toMatchObject({ Choices: [{ Next: 'Wait' }], Default: 'Done' });
    expect(States['Pause']).toEqual({ Type: 'Wait', Seconds: 60, Next: 'Poke' });
    expect(Object.keys(States)).toHaveLength(5);
  });

  test('gives a poke longer than its function may take', () => {
    const { Timeout } = one('AWS::Lambda::Function', 'DeferralFunction') as { Timeout?: unknown };
    expect(States['Poke']?.TimeoutSeconds).toBeGreaterThan(Number(Timeout));
  });

  test('is of the kind that waits for weeks, and has the name that its function knows', () => {
    const { StateMachineName, StateMachineType = 'STANDARD' } = one(MACHINE, 'DeferralStateMachine');
    expect(StateMachineType).toBe('STANDARD');
    const { Variables } = one('AWS::Lambda::Function', 'DeferralFunction').Environment;
    expect(JSON.stringify(Variables['STATE_MACHINE_ARN'])).toContain(`:stateMachine:${String(StateMachineName)}"`);
  });

  test('may invoke its function, which may start, stop and list its executions, and no others', () => {
    expect(allowed('Deferral')).toEqual({ 'lambda:InvokeFunction': expect.stringContaining('DeferralFunction') });
    const { StateMachineName } = one(MACHINE, 'DeferralStateMachine');
    const name = String(StateMachineName);
    const actions = Object.entries(allowed('DeferralFunction')).filter(([action]) => action.startsWith('states:'));
    expect(Object.fromEntries(actions)).toEqual({
      'states:StartExecution': expect.stringContaining(`:stateMachine:${name}"`),
      'states:ListExecutions': expect.stringContaining(`:stateMachine:${name}"`),
      'states:StopExecution': expect.stringContaining(`:execution:${name}:*"`),
    });
  });

  test('has its function tried again by Lambda where a start was asked for: nobody else does it', () => {
    const configs = template.findResources('AWS::Lambda::EventInvokeConfig');
    expect(Object.keys(configs).filter((id) => id.includes('Deferral'))).toEqual([]);
  });
});
