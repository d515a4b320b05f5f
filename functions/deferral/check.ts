/** Users took tasks away: whose last task is gone sleeps, and its execution is stopped. */
import { targetKey } from '../core/identity.ts';
import { reviewMembers } from '../shard-worker/apply.ts';
import type { DeferralDeps } from './deps.ts';
import { targetIdOf } from './events.ts';
import type { CheckEvent } from './events.ts';
import { executionName } from './execution.ts';

/**
 * Looks at the members of each target. One whose look fails keeps its `check`: its execution looks when it wakes.
 * A join that comes meanwhile begins a younger generation, which is not stopped.
 */
export async function checkTargets(deps: DeferralDeps, { targets }: CheckEvent): Promise<void> {
  const { store, clock, executions, log } = deps;
  for (const one of targets) {
    const id = targetIdOf(one);
    try {
      const seen = await store.target(id);
      if (seen?.generation === undefined) continue;
      const asleep = seen.dormant !== undefined || (await reviewMembers(deps, seen, clock.now())).kind === 'dormant';
      if (asleep) await executions.stop(executionName(seen));
    } catch (error) {
      log({ message: 'members not checked', target: targetKey(id), error: String(error) });
    }
  }
}
