import type { Clock, Log } from '../ports.ts';
import type { Store } from '../store/store.ts';

/** What the execution API works with; all of it passed in. */
export interface ExecutionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}
