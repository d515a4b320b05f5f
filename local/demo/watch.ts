import { setTimeout as sleep } from 'node:timers/promises';
import type { SensoriumClient, State } from '../../client/index.ts';
import type { Alerts } from './alerts.ts';
import type { Group, PlannedTask } from './plan.ts';
import type { Progress, Standing } from './progress.ts';

const SHOW_EVERY_MS = 1_000;
/** Every so many shows the API is asked whether anything still waits. */
const LOOK_EVERY = 3;
const ENDED = new Set(['success', 'failed', 'skipped', 'removed']);
const ACTIVE: readonly State[] = ['sensing', 'queued', 'running', 'up_for_retry'];

export interface Watch {
  readonly api: SensoriumClient;
  readonly tasks: readonly PlannedTask[];
  /** The tasks' queue. */
  readonly run: string;
  readonly alerts: Pick<Alerts, 'received'>;
  readonly progress: Progress;
  readonly landed: () => number;
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/** Shows how the tasks are getting on, by the events that arrive, until the API says that none waits any more. */
export async function waitForEnds({
  api,
  tasks,
  run,
  alerts,
  progress,
  landed,
  startedAt,
  signal,
}: Watch): Promise<void> {
  const groupOf = new Map(tasks.map(({ id, group }) => [id, group]));
  const singles = tasks.filter(({ group }) => group !== 's3' && group !== 'emr');
  const doing = new Map<Group, string>();
  const show = (): void => {
    const ended = new Map<Group, number>();
    for (const { task_id, state } of alerts.received) {
      const group = groupOf.get(task_id);
      if (group !== undefined && ENDED.has(state)) ended.set(group, (ended.get(group) ?? 0) + 1);
    }
    const standing: Standing = {
      elapsedMs: Date.now() - startedAt,
      ended,
      landed: landed(),
      doing,
      alerts: alerts.received.length,
    };
    progress.show(standing);
  };
  for (let shows = 0; ; shows += 1) {
    if (shows % LOOK_EVERY === 0) {
      for (const { id, group } of singles) {
        const { state, try_number } = await api.get(id);
        doing.set(group, `${state}, try ${try_number}`);
      }
      if (await isOver(api, run)) break;
    }
    show();
    await sleep(SHOW_EVERY_MS, undefined, { signal });
  }
  show();
}

async function isOver(api: SensoriumClient, queue: string): Promise<boolean> {
  for (const state of ACTIVE) {
    const { tasks } = await api.list({ queue, state, limit: 1 });
    if (tasks.length > 0) return false;
  }
  return true;
}
