/** First pokes: what was just submitted is poked at once, so that a condition that holds already succeeds in a second. */
import { targetKey } from '../core/identity.ts';
import type { QueueRecord } from '../core/queue.ts';
import { ratesNow } from '../core/rates.ts';
import { metricLine } from '../metrics.ts';
import { applyObservation } from './apply.ts';
import type { Applied } from './apply.ts';
import { createCallBudget } from './call-budget.ts';
import type { WorkerDeps } from './deps.ts';
import type { FirstPokesEvent } from './events.ts';
import { groupOf, operationOf, pokeGroup } from './poke.ts';
import type { Held } from './poke.ts';
import { createRun, runMetrics } from './run.ts';
import type { Run } from './run.ts';

/**
 * Pokes new targets. What fails here, or finds no room in the budget, falls due by its cadence anyway: nothing is owed.
 */
export async function runFirstPokes(deps: WorkerDeps, event: FirstPokesEvent): Promise<void> {
  for (const [queue, targets] of Map.groupBy(event.targets, (target) => target.queue)) {
    await pokeQueue(deps, queue, targets);
  }
}

async function pokeQueue(deps: WorkerDeps, queue: string, wanted: FirstPokesEvent['targets']): Promise<void> {
  const record = await deps.store.queue(queue);
  // What was submitted to a paused queue is poked when it goes on.
  if (record?.paused === true) return;
  const run = firstPokeRun(deps, queue, record);
  const tasks = new Map(wanted.map((one) => [targetKey(one), one.tasks]));
  const found = await deps.store.targets(wanted);
  const held: Held[] = found.map((target) => ({ target, first: true }));
  await pokeAtOnce(deps, run, held, tasks);
  const now = deps.clock.now();
  const { calls, ended } = run.counts;
  const fields = { message: 'first pokes', calls, ended, ms: now - run.startedAt };
  deps.log(metricLine(deps.settings.metrics_namespace, { queue }, runMetrics(run), fields, now));
}

type PokeDeps = Pick<WorkerDeps, 'store' | 'sensors' | 'clock' | 'log' | 'settings'>;

/** A first poke that finds no room within so long is left to its cadence. */
const PATIENCE_MS = 8000;

/** @returns a run with the part of a queue's rate budgets that is kept for first pokes, shared by all that make some. */
export function firstPokeRun(deps: PokeDeps, queue: string, record: QueueRecord | undefined): Run {
  const { clock, settings } = deps;
  const rates = ratesNow(record?.budgets ?? {}, record?.rates);
  const budget = createCallBudget(deps, { queue, rates, holder: { kind: 'first' } });
  return createRun(clock, budget, settings.poke_timeout_seconds * 1000, () => clock.now() + PATIENCE_MS);
}

/**
 * Pokes targets of a queue and applies what was seen. One target's trouble is logged and is no other's.
 * @param tasks ids of tasks that the index may not show yet, by the key of their target
 * @returns what became of the targets that were poked, by their keys
 */
export async function pokeAtOnce(
  deps: PokeDeps,
  run: Run,
  held: readonly Held[],
  tasks: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, Applied>> {
  const became = new Map<string, Applied>();
  const groups = Map.groupBy(held, ({ target }) => groupOf(deps.sensors, target));
  for (const group of groups.values()) run.expect(operationOf(deps, group));
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const poked = await run.poke(operationOf(deps, group), () => pokeGroup(deps, run, group));
      for (const one of poked) {
        if (one.kind === 'left') continue;
        const { target } = one.held;
        const key = targetKey(target);
        try {
          const apply = () => applyObservation(deps, run, target, one.observation, one.at, tasks.get(key));
          became.set(key, await run.limit(apply));
        } catch (error) {
          deps.log({ message: 'target failed', target: key, error: String(error) });
        }
      }
    }),
  );
  return became;
}
