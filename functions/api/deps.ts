import type { Clock, Log, NewId } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Opened } from '../sensors/opened.ts';
import type { Store } from '../store/store.ts';

/** What the API works with; all of it passed in. */
export interface ApiDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Ids for tasks that are submitted without one. */
  readonly newId: NewId;
  readonly log: Log;
  readonly settings: Pick<ServiceSettings, 'shard_code_upper_limit' | 'shards' | 'tick_seconds'>;
  /** What sensors may read. */
  readonly opened: Opened;
  /** Whether the operator lets users have ended what they watch (cancel_on_kill). @default false */
  readonly allowCancel?: boolean;
  /** Signs page tokens. */
  readonly pageTokenKey: string;
}
