import { checkTargets } from './check.ts';
import type { DeferralDeps } from './deps.ts';
import { deferralEvent } from './events.ts';
import type { PokeAnswer } from './events.ts';
import { pokeTarget } from './poke.ts';
import { startTargets } from './start.ts';
import { wakeTargets } from './wake.ts';
import { watchQueue } from './watch.ts';

/**
 * The deferral function: the turns of the executions that wait for deferrable targets, and all that is done about them.
 * @returns a function that takes the invocation's payload, and answers an execution's turn with what comes next; it
 * rejects on a payload that is none of its events
 */
export function createDeferral(deps: DeferralDeps): (payload: unknown) => Promise<PokeAnswer | undefined> {
  return async (payload) => {
    const event = deferralEvent.parse(payload);
    switch (event.kind) {
      case 'poke':
        return pokeTarget(deps, event);
      case 'start':
        await startTargets(deps, event);
        return undefined;
      case 'check':
        await checkTargets(deps, event);
        return undefined;
      case 'wake':
        await wakeTargets(deps, event);
        return undefined;
      case 'watch':
        await watchQueue(deps, event.queue);
        return undefined;
    }
  };
}
