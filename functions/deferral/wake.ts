/** An event says that something happened: a poke between two of an execution's own, which goes on as if there were none. */
import { targetKey } from '../core/identity.ts';
import { metricLine } from '../metrics.ts';
import { firstPokeRun, pokeAtOnce } from '../shard-worker/first-pokes.ts';
import { runMetrics } from '../shard-worker/run.ts';
import type { DeferralDeps } from './deps.ts';
import { targetIdOf } from './events.ts';
import type { WakeEvent } from './events.ts';
import { executionName } from './execution.ts';

/** Pokes the targets; whose wait that ends has its execution stopped. What fails falls due by its execution. */
export async function wakeTargets(deps: DeferralDeps, { targets }: WakeEvent): Promise<void> {
  const byQueue = [...Map.groupBy(targets, ({ queue }) => queue)];
  await Promise.all(byQueue.map(([queue, wanted]) => wakeQueue(deps, queue, wanted)));
}

async function wakeQueue(deps: DeferralDeps, queue: string, wanted: WakeEvent['targets']): Promise<void> {
  const { store, executions, settings, log, clock } = deps;
  const record = await store.queue(queue);
  if (record?.paused === true) return;
  const run = firstPokeRun(deps, queue, record);
  const awake = (await store.targets(wanted.map(targetIdOf))).filter(({ dormant }) => dormant === undefined);
  const became = await pokeAtOnce(
    deps,
    run,
    awake.map((target) => ({ target, first: false })),
    new Map(),
  );
  for (const target of awake) {
    if (became.get(targetKey(target))?.kind !== 'dormant' || target.generation === undefined) continue;
    try {
      await executions.stop(executionName(target));
    } catch (error) {
      // It finds nobody when it wakes, and ends.
      log({ message: 'execution not stopped', target: targetKey(target), error: String(error) });
    }
  }
  const now = clock.now();
  const fields = { message: 'wakes', wanted: wanted.length, ended: run.counts.ended, ms: now - run.startedAt };
  log(metricLine(settings.metrics_namespace, { queue }, runMetrics(run), fields, now));
}
