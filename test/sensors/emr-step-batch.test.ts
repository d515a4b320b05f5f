import { describe, expect, test } from '@jest/globals';
import { BudgetSpent } from '../../functions/sensors/sensor.ts';
import { emrWith, refused, step, steps, type ListInput } from './emr-fakes.ts';
import { awsError, fakeIo, fakeSender, poke, pokeAll, sensorsOver, specOf, THROTTLED } from './fakes.ts';

describe('batches', () => {
  test('up to ten steps are one call by id', async () => {
    const emr = emrWith({ 's-1': 'RUNNING', 's-2': 'COMPLETED', 's-3': 'PENDING' });
    const observations = await pokeAll({ emr }, [step('s-3'), step('s-2'), step('s-1')]);
    expect(observations).toEqual([
      { kind: 'not_met', state: 'PENDING' },
      { kind: 'met' },
      { kind: 'not_met', state: 'RUNNING' },
    ]);
    expect(emr.sent).toEqual([{ command: 'ListSteps', input: { ClusterId: 'j-1', StepIds: ['s-3', 's-2', 's-1'] } }]);
  });

  test('one step that is waited for with different states is asked for once and judged by each', async () => {
    const emr = emrWith({ 's-1': 'RUNNING' });
    const inputs = [step('s-1'), step('s-1', { target_states: ['RUNNING'] })];
    expect(await pokeAll({ emr }, inputs)).toEqual([{ kind: 'not_met', state: 'RUNNING' }, { kind: 'met' }]);
    expect(emr.sent[0]?.input['StepIds']).toEqual(['s-1']);
  });

  test('fifty active steps are one call by state; 200 on four clusters are four, not 200 (case 89)', async () => {
    const emr = emrWith(Object.fromEntries(steps(50).map((_, index) => [`s-${index + 1}`, 'RUNNING'])));
    const observations = await pokeAll({ emr }, steps(50));
    expect(observations).toEqual(Array.from({ length: 50 }, () => ({ kind: 'not_met', state: 'RUNNING' })));
    expect(emr.sent).toEqual([
      { command: 'ListSteps', input: { ClusterId: 'j-1', StepStates: ['PENDING', 'CANCEL_PENDING', 'RUNNING'] } },
    ]);
  });

  test('what is not among the active ones has ended and is asked for by id, in tens', async () => {
    const states = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`s-${index + 1}`, index % 5 === 0 ? 'COMPLETED' : 'RUNNING']),
    );
    const emr = emrWith(states);
    const observations = await pokeAll({ emr }, steps(120));
    expect(observations.filter(({ kind }) => kind === 'met')).toHaveLength(24);
    expect(observations.filter(({ kind }) => kind === 'not_met')).toHaveLength(96);
    expect(emr.sent.map(({ input }) => (input['StepIds'] as [] | undefined)?.length)).toEqual([
      undefined,
      undefined,
      10,
      10,
      4,
    ]);
    expect(emr.sent[1]?.input['Marker']).toBe('50');
  });

  test('a crowd of other steps is given up when it costs as much as asking by id, and remembered', async () => {
    const others = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`s-other${index}`, 'PENDING']));
    const mine = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s-${index + 1}`, 'RUNNING']));
    const emr = emrWith({ ...others, ...mine });
    const sensors = sensorsOver({ emr });
    const items = steps(12).map((input) => ({ queue: 'q', spec: specOf(input), first: false }));
    const calls = async (now: number): Promise<number> => {
      emr.sent.length = 0;
      const observations = await sensors.poke(items, fakeIo(now));
      expect(observations).toEqual(items.map(() => ({ kind: 'not_met', state: 'RUNNING' })));
      return emr.sent.length;
    };
    expect(await calls(0)).toBe(4);
    expect(await calls(60_000)).toBe(2);
    expect(await calls(599_999)).toBe(2);
    expect(await calls(600_000)).toBe(4);
  });
});

describe('judged per member', () => {
  test('a bad id in a batch costs nobody else: all ten are asked one by one', async () => {
    const emr = emrWith({ 's-1': 'RUNNING', 's-3': 'COMPLETED' });
    const observations = await pokeAll({ emr }, steps(3));
    expect(observations).toEqual([
      { kind: 'not_met', state: 'RUNNING' },
      { kind: 'error', reason: expect.stringContaining("Step id 's-2' is not valid.") },
      { kind: 'met' },
    ]);
    expect(emr.sent.map(({ command }) => command)).toEqual([
      'ListSteps',
      'DescribeStep',
      'DescribeStep',
      'DescribeStep',
    ]);
  });

  test('only the ten around the bad id are asked one by one', async () => {
    const ended = Object.fromEntries(Array.from({ length: 29 }, (_, index) => [`s-${index + 1}`, 'COMPLETED']));
    const emr = emrWith(ended);
    const observations = await pokeAll({ emr }, steps(30));
    expect(observations.map(({ kind }) => kind)).toEqual([...Array.from({ length: 29 }, () => 'met'), 'error']);
    expect(emr.sent.filter(({ command }) => command === 'DescribeStep')).toHaveLength(10);
  });

  test('a member that an answer lacks is asked for alone', async () => {
    const emr = fakeSender({
      ListSteps: { Steps: [{ Id: 's-1', Status: { State: 'RUNNING' } }] },
      DescribeStep: { Step: { Id: 's-2', Status: { State: 'COMPLETED' } } },
    });
    expect(await pokeAll({ emr }, steps(2))).toEqual([{ kind: 'not_met', state: 'RUNNING' }, { kind: 'met' }]);
    expect(emr.sent[1]).toEqual({ command: 'DescribeStep', input: { ClusterId: 'j-1', StepId: 's-2' } });
  });

  test('an unknown cluster is an error: by id for few, by state for many, without asking for each', async () => {
    const emr = fakeSender({
      ListSteps: refused("Cluster id 'j-1' is not valid."),
      DescribeStep: refused("Cluster id 'j-1' is not valid."),
    });
    const few = await pokeAll({ emr }, steps(2));
    const many = await pokeAll({ emr }, steps(40));
    for (const observation of [...few, ...many]) {
      expect(observation).toEqual({ kind: 'error', reason: expect.stringContaining("Cluster id 'j-1' is not valid.") });
    }
    expect(emr.sent).toHaveLength(1 + 2 + 1);
  });

  test('a page whose marker is refused is given up, and the rest is asked for by id', async () => {
    const emr = fakeSender({
      ListSteps({ Marker, StepIds }: ListInput) {
        if (Marker !== undefined) return refused('Marker is not valid.');
        return { Steps: (StepIds ?? []).map((Id) => ({ Id, Status: { State: 'RUNNING' } })), Marker: 'm' };
      },
    });
    const observations = await pokeAll({ emr }, steps(40));
    expect(observations).toEqual(steps(40).map(() => ({ kind: 'not_met', state: 'RUNNING' })));
  });

  test.each([
    ['no Steps', {}, 'answer misses Steps'],
    ['no Status', { Steps: [{ Id: 's-1' }] }, 'answer misses Status.State'],
    ['no State', { Steps: [{ Id: 's-1', Status: {} }] }, 'answer misses Status.State'],
    ['nothing', undefined, 'answer is not an object'],
  ])('an answer with %s is unknown', async (_, answer, reason) => {
    const observation = await poke({ emr: fakeSender({ ListSteps: answer }) }, step('s-1'));
    expect(observation).toEqual({ kind: 'unknown', reason: expect.stringContaining(reason) });
  });

  test('DescribeStep without a Step is unknown', async () => {
    const emr = fakeSender({ ListSteps: { Steps: [] }, DescribeStep: {} });
    const observation = await poke({ emr }, step('s-1'));
    expect(observation).toEqual({ kind: 'unknown', reason: expect.stringContaining('answer misses Step') });
  });
});

describe('a call that fails', () => {
  test('a throttle in the middle: what was heard counts, the rest is unknown and not asked for', async () => {
    let calls = 0;
    const emr = fakeSender({
      ListSteps({ StepIds = [] }: ListInput) {
        calls += 1;
        if (calls === 1) return { Steps: [] };
        return calls === 2 ? { Steps: StepIds.map((Id) => ({ Id, Status: { State: 'COMPLETED' } })) } : THROTTLED;
      },
    });
    const observations = await pokeAll({ emr }, steps(40));
    expect(observations.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ({ kind: 'met' })));
    for (const observation of observations.slice(10)) {
      expect(observation).toMatchObject({ kind: 'unknown', throttled: true });
    }
    expect(calls).toBe(3);
  });

  test('a throttle while asking one by one leaves the others unknown', async () => {
    const emr = fakeSender({ ListSteps: { Steps: [] }, DescribeStep: THROTTLED });
    const observations = await pokeAll({ emr }, steps(3));
    expect(observations.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(emr.sent).toHaveLength(2);
  });

  test('what holds for one step asked for alone is not said of the next', async () => {
    const emr = fakeSender({
      ListSteps: { Steps: [] },
      DescribeStep: ({ StepId }: { StepId: string }) =>
        StepId === 's-1' ? awsError('AccessDeniedException', 400) : { Step: { Status: { State: 'COMPLETED' } } },
    });
    expect((await pokeAll({ emr }, steps(2))).map(({ kind }) => kind)).toEqual(['error', 'met']);
  });

  test('no budget: all unknown', async () => {
    const io = { ...fakeIo(), call: () => Promise.reject(new BudgetSpent('no room for emr:ListSteps')) };
    const observations = await pokeAll({}, steps(12), { io });
    expect(observations).toEqual(
      steps(12).map(() => ({ kind: 'unknown', reason: 'emr:ListSteps: no room for emr:ListSteps' })),
    );
  });

  test('denied names the permission and the cluster', async () => {
    const emr = fakeSender({ ListSteps: awsError('AccessDeniedException', 400) });
    expect(await poke({ emr }, step('s-1'))).toEqual({
      kind: 'error',
      reason: expect.stringContaining('elasticmapreduce:ListSteps on the cluster j-1'),
    });
  });
});
