import { identify } from '../core/identity.ts';
import { wantedTarget } from '../core/membership.ts';
import type { TargetId } from '../core/target.ts';
import { isMember } from '../shard-worker/members.ts';
import type { DeferralDeps } from './deps.ts';

/**
 * Has tasks join their target again that does not (any more) do for them what they need: it fell asleep before the index
 * showed them. They are read after the target was: whoever waits now does so in vain.
 * @param ids of tasks that may wait on it
 * @param now epoch ms
 * @returns how many there are
 */
export async function rejoin(
  { store }: DeferralDeps,
  target: TargetId,
  ids: readonly string[],
  now: number,
): Promise<number> {
  const tasks = await store.tasks(ids);
  const [first, ...others] = tasks.filter((task) => isMember(task, target));
  if (first === undefined) return 0;
  await store.join(wantedTarget([first, ...others], identify(first.sensor).full_hash, now), false);
  return 1 + others.length;
}
