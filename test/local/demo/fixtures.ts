import type { SeenTask } from '../../../local/demo/judge.ts';
import type { PlannedTask } from '../../../local/demo/plan.ts';

/** A task that went the way that it should, one transition every `everyMs` from 0 on. */
export function asPlanned({ id, expected }: PlannedTask, everyMs = 1_000): SeenTask {
  const { path, reason } = expected;
  return {
    id,
    state: path.at(-1) ?? '',
    try_number: 1 + path.filter((state) => state === 'up_for_retry').length,
    ...(reason !== undefined && { reason: `step s-1 ended in FAILED: ${reason}` }),
    deadline: 60_000,
    history: path.map((to, index) => ({ at: index * everyMs, to })),
  };
}

export const CLUSTER = { id: 'j-1', stepIds: Array.from({ length: 41 }, (_, index) => `s-${index + 1}`) };
