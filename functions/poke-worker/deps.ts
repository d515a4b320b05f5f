import type { Clock, Invoker, Log, NewId } from '../ports.ts';
import type { Sensors } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { PokeWorkerEvent } from './events.ts';

/** What a poke worker works with; all of it passed in. */
export interface PokeWorkerDeps {
  readonly store: Pick<Store, 'task' | 'queue' | 'move' | 'bookCalls'>;
  readonly sensors: Sensors;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly settings: Omit<ServiceSettings, 'tick_seconds' | 'shards' | 'shard_code_upper_limit'>;
  /** The next run, to which this one hands over. */
  readonly runs: Invoker<PokeWorkerEvent>;
}
