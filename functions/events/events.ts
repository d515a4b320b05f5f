/**
 * Events as accelerator (DESIGN, section 6): where AWS tells that something happened, the targets that wait for it are
 * poked at once. The poke is the judge: an event that is lost, late, early, doubled or wrong changes nothing but time.
 */
import { targetKey } from '../core/identity.ts';
import type { Target } from '../core/target.ts';
import type { DeferralEvent } from '../deferral/events.ts';
import type { Clock, Invoker, Log } from '../ports.ts';
import type { SensorCatalog } from '../sensors/registry.ts';
import type { WorkerEvent } from '../shard-worker/events.ts';
import type { Store } from '../store/store.ts';
import type { Recent } from './recent.ts';
import type { Spending } from './spending.ts';

export interface EventsDeps {
  readonly store: Pick<Store, 'targetsOf' | 'queue'>;
  readonly sensors: Pick<SensorCatalog, 'readEvent' | 'concerns' | 'batchKeyOf' | 'operationOf'>;
  readonly workers: Invoker<WorkerEvent>;
  readonly deferral: Invoker<DeferralEvent>;
  readonly recent: Recent;
  readonly spending: Spending;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Targets that one event wakes, at most, for each of its keys: the others fall due by their cadence. */
const TARGETS_AN_EVENT = 200;

/** @returns a function that takes an event of EventBridge; it rejects when that has to be delivered again. */
export function createEvents(deps: EventsDeps): (event: unknown) => Promise<void> {
  const { sensors, workers, deferral, recent, clock, log } = deps;
  return async (event) => {
    const happened = sensors.readEvent(event);
    if (happened === undefined) return;
    const { id: eventId, narrowest, keys } = happened;
    const found = (await Promise.all(keys.map((key) => targetsOf(deps, key)))).flat();
    const concerned = found.filter(({ dormant, sensor }) => {
      return dormant === undefined && sensors.concerns(sensor, narrowest);
    });
    const now = clock.now();
    const fresh = concerned.filter((target) => recent.admits(targetKey(target), eventId, now));
    const byQueue = [...Map.groupBy(fresh, ({ queue }) => queue)];
    const woken = (await Promise.all(byQueue.map(([queue, own]) => affordable(deps, queue, own, now)))).flat();
    const wake = async (mode: Target['mode'], invoke: (targets: readonly Target[]) => Promise<void>) => {
      const own = woken.filter((target) => target.mode === mode);
      if (own.length === 0) return;
      await invoke(own);
      // Not before: what was not handed on is not woken when the event comes again.
      for (const target of own) recent.note(targetKey(target), eventId, now);
    };
    await wake('smart', (own) => {
      const targets = own.map(({ queue, mode, hashcode }) => ({ queue, mode, hashcode, tasks: [] }));
      return workers.invoke({ kind: 'first_pokes', targets });
    });
    await wake('deferrable', (own) => {
      return deferral.invoke({ kind: 'wake', targets: own.map(({ queue, hashcode }) => ({ queue, hashcode })) });
    });
    // One line an event that found somebody: the others of a bucket are not worth one.
    if (found.length > 0) log({ message: 'event', event: narrowest, found: found.length, woken: woken.length });
  };
}

async function targetsOf({ store, log }: EventsDeps, key: string): Promise<readonly Target[]> {
  const { targets, more } = await store.targetsOf(key, TARGETS_AN_EVENT);
  if (more) log({ message: 'more targets than an event wakes', event: key, limit: TARGETS_AN_EVENT });
  return targets;
}

/** Of the targets of one queue those that may be poked now: none where it is paused, and no more than its budgets allow. */
async function affordable(
  { store, sensors, spending }: EventsDeps,
  queue: string,
  targets: readonly Target[],
  now: number,
): Promise<readonly Target[]> {
  const record = await store.queue(queue);
  // What waits in a paused queue is poked when it goes on.
  if (record?.paused === true) return [];
  // What shares a call costs one.
  const calls = Map.groupBy(targets, (target) => sensors.batchKeyOf(target.sensor) ?? targetKey(target));
  return [...calls.values()].flatMap((own) => {
    const operation = own[0] === undefined ? undefined : sensors.operationOf(own[0].sensor);
    const fits = operation === undefined || spending.takes(queue, record?.budgets ?? {}, operation, now);
    return fits ? own : [];
  });
}
