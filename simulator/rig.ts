/**
 * Hooks around what the simulation gives to the production code. Tests plant their faults here, by wrapping; nothing in
 * functions/ knows of it. Without a hook everything is as it is.
 */
import type { Invoker } from '../functions/ports.ts';
import type { Sensors } from '../functions/sensors/registry.ts';
import type { WorkerEvent } from '../functions/shard-worker/events.ts';
import type { Store } from '../functions/store/store.ts';
import type { StreamPattern } from '../functions/store/stream-patterns.ts';
import type { StreamChange } from '../functions/store/stream.ts';
import type { Table } from '../functions/store/table.ts';
import type { Fact } from '../functions/core/untold.ts';
import type { ApiEvent } from '../functions/api/http.ts';
import type { Faults } from './faults.ts';
import type { Life } from './life.ts';

/** What a hook may do besides wrapping. */
export interface Tools {
  /** Tells the bus, at once and unfailingly. */
  readonly alert: (event: Fact) => void;
}

export interface Rig {
  /** The table under all invocations: what is wrapped here meets neither time nor scripted faults. */
  readonly table?: (table: Table) => Table;
  /** The store of one invocation. */
  readonly store?: (store: Store, life: Life, tools: Tools) => Store;
  /** The sensors of one shard worker. */
  readonly sensors?: (sensors: Sensors, life: Life) => Sensors;
  /** How an invocation starts shard workers. */
  readonly workers?: (workers: Invoker<WorkerEvent>, life: Life) => Invoker<WorkerEvent>;
  /** What the notifier asks the stream for. */
  readonly told?: (patterns: readonly StreamPattern[]) => readonly StreamPattern[];
  /** What the notifier is told of a batch of the stream. */
  readonly notified?: (changes: readonly StreamChange[]) => readonly StreamChange[];
  /** What the execution API is asked. */
  readonly asked?: (event: ApiEvent) => ApiEvent;
  /** What befalls calls, besides what the scenario scripts. */
  readonly faults?: (faults: Faults) => Faults;
}
