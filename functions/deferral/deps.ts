import type { WorkerDeps } from '../shard-worker/deps.ts';
import type { PokeEvent } from './events.ts';

/** The executions of the state machine that waits for deferrable targets. */
export interface Executions {
  /** Starts one; a name that is taken is that execution, and fine. */
  start(name: string, input: PokeEvent): Promise<void>;
  /** Stops one; one that does not run (any more) is fine. */
  stop(name: string): Promise<void>;
  /** @returns the names of all that run, as far as Step Functions shows them yet. */
  running(): Promise<ReadonlySet<string>>;
}

/** What the deferral function works with; all of it passed in. */
export interface DeferralDeps extends Pick<WorkerDeps, 'store' | 'sensors' | 'clock' | 'log' | 'settings'> {
  readonly executions: Executions;
}
