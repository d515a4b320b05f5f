/** What must hold in every run, whatever happens: rules that watch each committed write, each poke, each alert. */
import type { Fact } from '../../functions/core/untold.ts';
import type { ServiceSettings } from '../../functions/settings.ts';
import type { Fault, Scenario } from '../format.ts';
import type { PokeMade } from '../gear.ts';
import type { Listener, Mirror } from './mirror.ts';
import type { Told } from '../world/executions.ts';
import type { Truth } from './truth.ts';

/** A request as it was made: its try filled in. */
export interface Asked {
  readonly method: string;
  readonly resource: string;
  /** The id in the path: of a task, or of a try. */
  readonly id: string;
  readonly body: unknown;
}

export interface Invariant extends Listener {
  readonly name: string;
  alert?(event: Fact): void;
  /** An execution that waited with a task token is told. */
  told?(told: Told): void;
  poke?(poke: PokeMade): void;
  asked?(request: Asked): void;
  /** Once a minute of virtual time, and when the run is over. */
  minute?(): void;
  /** Whether, as far as it is concerned, nothing is to come any more. @default yes */
  quiet?(): boolean;
}

/** What a rule sees of a run. */
export interface Watch {
  /** Epoch ms. */
  readonly now: () => number;
  readonly start: number;
  readonly scenario: Pick<Scenario, 'world' | 'faults' | 'queues'>;
  readonly settings: ServiceSettings;
  readonly mirror: Mirror;
  readonly truth: Truth;
  readonly calm: Calm;
  readonly fail: (what: string) => void;
}

/** What the faults of a scenario allow for. */
export interface Calm {
  /** There are no faults at all. */
  readonly always: boolean;
  /** After this no fault strikes any more, epoch ms. */
  readonly from: number;
  /** By how much clocks may be apart, ms. */
  readonly skewMs: number;
  /** The longest lag of an index, ms. */
  readonly lagMs: number;
}

/**
 * @param faults what is scripted
 * @param start epoch ms of second 0
 * @param troubledUntil until when a rig may strike, seconds; 0: never
 */
export function calmOf(faults: readonly Fault[], start: number, troubledUntil: number): Calm {
  const ends = [...faults.map((fault) => ('to' in fault ? fault.to : fault.at + 120)), troubledUntil];
  const skews = faults.flatMap((fault) => ('skew' in fault ? [Math.abs(fault.seconds) * 1000] : []));
  const lags = faults.flatMap((fault) => ('index_lag' in fault ? [fault.index_lag * 1000] : []));
  return {
    always: faults.length === 0 && troubledUntil === 0,
    from: start + Math.max(0, ...ends) * 1000,
    // Two of one function may add up, and two functions may be wrong in opposite ways.
    skewMs: skews.reduce((sum, skew) => sum + skew, 0),
    lagMs: Math.max(0, ...lags),
  };
}

/** @returns whether a queue has rates of its own: in these scenarios they are small, and everything of it is late. */
export function hasSmallRates({ scenario }: Pick<Watch, 'scenario'>, queue: string): boolean {
  const budgets = scenario.queues[queue]?.['budgets'];
  return typeof budgets === 'object' && budgets !== null && Object.keys(budgets).length > 0;
}
