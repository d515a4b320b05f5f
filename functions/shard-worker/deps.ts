import type { PokeWorkerEvent } from '../poke-worker/events.ts';
import type { Clock, Invoker, Log, NewId } from '../ports.ts';
import type { Sensors } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';

/** What a shard worker works with; all of it passed in. */
export interface WorkerDeps {
  readonly store: Store;
  readonly sensors: Sensors;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly settings: ServiceSettings;
  /** Runs of tasks that poke for themselves. */
  readonly runs: Invoker<PokeWorkerEvent>;
}
