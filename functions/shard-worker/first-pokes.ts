/** First pokes: what was just submitted is poked at once, so that a condition that holds already succeeds in a second. */
import { targetKey } from '../core/identity.ts';
import { ratesOf, shareOf, REGULAR_SHARE } from '../core/rates.ts';
import { applyObservation } from './apply.ts';
import type { WorkerDeps } from './deps.ts';
import type { FirstPokesEvent } from './events.ts';
import { groupOf, pokeGroup } from './poke.ts';
import type { Held } from './poke.ts';
import { createRun } from './run.ts';

/**
 * Pokes new targets. What fails here, or finds no room in the budget, falls due by its cadence anyway: nothing is owed.
 */
export async function runFirstPokes(deps: WorkerDeps, event: FirstPokesEvent): Promise<void> {
  for (const [queue, targets] of Map.groupBy(event.targets, (target) => target.queue)) {
    await pokeQueue(deps, queue, targets);
  }
}

async function pokeQueue(deps: WorkerDeps, queue: string, wanted: FirstPokesEvent['targets']): Promise<void> {
  const { store, clock, settings, log } = deps;
  const settingsOfQueue = await store.queue(queue);
  const budgets = shareOf(ratesOf(settingsOfQueue?.budgets ?? {}), 1 - REGULAR_SHARE, 1);
  const run = createRun(clock, budgets, settings.poke_timeout_seconds * 1000);
  const tasks = new Map(wanted.map((one) => [targetKey(one), one.tasks]));
  const found = await Promise.all(wanted.map((id) => run.limit(() => store.target(id))));
  const held: Held[] = found.flatMap((target) => (target === undefined ? [] : [{ target, first: true }]));
  const groups = Map.groupBy(held, ({ target }) => groupOf(deps.sensors, target));
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const poked = await run.limit(() => pokeGroup(deps, run, group));
      for (const one of poked) {
        if (one.kind === 'left') continue;
        const key = targetKey(one.held.target);
        await run
          .limit(() => applyObservation(deps, run, one.held.target, one.observation, one.at, tasks.get(key)))
          .catch((error: unknown) => log({ message: 'target failed', target: key, error: String(error) }));
      }
    }),
  );
  log({ message: 'first pokes', queue, ...run.counts, ms: clock.now() - run.startedAt });
}
