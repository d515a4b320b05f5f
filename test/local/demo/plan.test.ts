import { describe, expect, test } from '@jest/globals';
import { planDemo, planTasks } from '../../../local/demo/plan.ts';
import { parseTask } from '../../../functions/api/schemas/task.ts';
import { CLUSTER } from './fixtures.ts';

const plan = planDemo('abc123');
const tasks = planTasks(plan, CLUSTER);

describe('the plan of the demo', () => {
  test('has 1,203 tasks, each with an id of its own in the queue of the run', () => {
    const groups = Map.groupBy(tasks, ({ group }) => group);
    const sizes = [...groups].map(([group, all]) => [group, all.length]);
    expect(Object.fromEntries(sizes)).toEqual({ s3: 1_000, emr: 200, retry: 1, timeout: 1, external: 1 });
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1_203);
    expect(new Set(tasks.map(({ body }) => body['queue']))).toEqual(new Set(['demo-abc123']));
  });

  test('waits for 20 keys that land one after the other, and for 41 steps of which one fails', () => {
    const waited = (group: string) =>
      new Set(tasks.filter((task) => task.group === group).map((task) => task.waitsFor));
    expect(waited('s3')).toEqual(new Set(plan.keys.map(({ key }) => key)));
    expect(plan.keys.map(({ landsAfterMs }) => landsAfterMs)).toEqual(plan.keys.map((_, index) => 5_000 * (index + 1)));
    expect(waited('emr').size).toBe(40);
    expect(waited('retry')).toEqual(new Set(['s-41']));
    expect(plan.steps.filter(({ failure }) => failure !== undefined)).toHaveLength(1);
  });

  test('is over, but for the ticks, within two minutes', () => {
    const ends = [
      ...plan.keys.map(({ landsAfterMs }) => landsAfterMs / 1_000),
      ...plan.steps.map(({ seconds }) => seconds),
    ];
    expect(Math.max(...ends)).toBeLessThanOrEqual(100);
  });

  test('submits what the API takes', () => {
    for (const { body } of tasks) expect(parseTask(body)).toMatchObject({ ok: true });
  });

  test('names a bucket that S3 takes', () => {
    expect(plan.bucket).toMatch(/^[a-z0-9-]{3,63}$/);
  });
});
