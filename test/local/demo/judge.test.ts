import { describe, expect, test } from '@jest/globals';
import { expectedAlerts, judgeAlerts, judgeTasks, type SeenTask } from '../../../local/demo/judge.ts';
import { type PlannedTask, planDemo, planTasks } from '../../../local/demo/plan.ts';
import { asPlanned, CLUSTER } from './fixtures.ts';

const planned = planTasks(planDemo('x'), CLUSTER);
const byGroup = (group: string): PlannedTask => planned.find((task) => task.group === group)!;
const judge = (task: PlannedTask, seen: Partial<SeenTask>) =>
  judgeTasks([task], new Map([[task.id, { ...asPlanned(task), ...seen }]]));

describe('judging the tasks', () => {
  test('says nothing when all went as planned', () => {
    expect(judgeTasks(planned, new Map(planned.map((task) => [task.id, asPlanned(task)])))).toEqual([]);
  });

  test('names a task that is not there', () => {
    expect(judgeTasks([byGroup('s3')], new Map())).toEqual([
      'demo-x-key-01-001: expected sensing > success, but there is no such task',
    ]);
  });

  test('names what was expected and what came', () => {
    const history = [
      { at: 0, to: 'sensing' },
      { at: 1, to: 'failed' },
    ];
    expect(judge(byGroup('s3'), { state: 'failed', reason: 'no such bucket', history })).toEqual([
      'demo-x-key-01-001: expected sensing > success, came sensing > failed ("no such bucket"), state failed',
    ]);
  });

  test('takes the same end on another way for wrong: a retry that never was', () => {
    const history = [
      { at: 0, to: 'sensing' },
      { at: 1, to: 'failed' },
    ];
    expect(judge(byGroup('retry'), { history })).toHaveLength(1);
  });

  test('takes the right way with another reason for wrong', () => {
    expect(judge(byGroup('timeout'), { reason: 'access denied' })).toHaveLength(1);
    expect(judge(byGroup('retry'), { reason: undefined })).toHaveLength(1);
  });
});

describe('judging the events', () => {
  test.each([
    ['s3', ['demo-x-key-01-001~1#success']],
    ['retry', ['demo-x-step-that-fails~1#up_for_retry', 'demo-x-step-that-fails~2#failed']],
    ['timeout', ['demo-x-timeout~1#failed']],
    ['external', ['demo-x-external~1#up_for_retry', 'demo-x-external~2#success']],
  ])('of %s are expected', (group, ids) => {
    expect(expectedAlerts(byGroup(group))).toEqual(ids);
  });

  test('names what is missing and what is too much; what comes twice is as good as once', () => {
    const task = byGroup('retry');
    const deliveries = new Map([
      ['demo-x-step-that-fails~1#up_for_retry', 2],
      ['demo-x-step-that-fails~1#success', 1],
    ]);
    expect(judgeAlerts([task], deliveries)).toEqual([
      'demo-x-step-that-fails~2#failed: expected an event on the bus, none came',
      'demo-x-step-that-fails~1#success: expected no event on the bus, one came',
    ]);
  });
});
