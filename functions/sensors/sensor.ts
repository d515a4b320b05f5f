import type * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';

/** An IAM permission that a sensor's pokes need; resources are narrowed by the operator's `allow`. */
export interface Permission {
  readonly actions: readonly string[];
  /** Which of the allowed resources it applies to, as an ARN pattern (`arn:*:s3:::*`) of any partition. */
  readonly resources: readonly string[];
}

/** One target's share of a poke. */
export interface PokeItem<Context> {
  readonly context: Context;
  /** The target's first poke: the time for checks that need not be repeated (does the bucket exist?). */
  readonly first: boolean;
}

/** What a poke may use besides its client. */
export interface PokeIo {
  now(): number;
  /**
   * Makes one AWS call: waits for the budget of the operation (`emr:ListSteps`), counts it, bounds it by the poke timeout.
   * Rejects with what the call rejected with, with PokeTimeout, or with BudgetSpent when there is no room in this run.
   */
  call<Answer>(operation: string, send: () => Promise<Answer>): Promise<Answer>;
  /**
   * Asks once and remembers the answer for the rest of the run, for all pokes of the sensor: what is so of a whole bucket,
   * whichever key is waited for. Undefined: it says nothing of them.
   */
  once(key: string, ask: () => Promise<Observation | undefined>): Promise<Observation | undefined>;
}

/**
 * A kind of condition. One file a sensor, one line in the list of sensors.
 * `Context` is the normalised poke context, with its `type`: defaults filled in, lists sorted, URLs taken apart.
 */
export interface Sensor<Context = never> {
  readonly type: string;
  /** One sentence for the docs. */
  readonly summary: string;
  /** Parses and normalises a whole spec, `type` included; unknown fields are refused, and a spec gives itself. */
  readonly schema: z.ZodMiniType<Context>;
  /** The operations its pokes call, in the order of their cost (`s3:HeadObject`); empty: it asks nobody. */
  readonly operations: readonly string[];
  readonly permissions: readonly Permission[];
  /** The ARNs that a poke of this context reads: `*` where a part is open, and as the partition. */
  resources(context: Context): readonly string[];
  /** What can share a call has the same batch key (and is due together); undefined: every target alone. */
  batchKey?(context: Context): string;
  /** Before this instant (epoch ms) a poke is pointless. */
  notBefore?(context: Context): number;
  /** The event key (aws-events.ts) under which an event finds the targets of this context; undefined: none ends it. */
  eventKey?(context: Context): string;
  /** Whether an event can matter to it, by the narrowest of its keys. @default every one that finds it can */
  concerns?(context: Context, narrowest: string): boolean;
  /**
   * Pokes the targets of one batch. Gives an observation for each, in order. Never rejects for what AWS answers;
   * a rejection is a defect of the sensor, and poison.
   */
  poke(items: readonly PokeItem<Context>[], io: PokeIo): Promise<readonly Observation[]>;
}

/** What became of ending what a sensor watches. */
export type Cancellation =
  /** Asked for, or under way already. */
  | { readonly kind: 'cancelled'; readonly detail?: string }
  /** It will not be: denied, gone, protected, ended. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer: perhaps it was asked for. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The SDK clients' common shape: what a sensor needs of one. */
export interface Sender {
  send(command: never): Promise<unknown>;
}

/** A sender that takes these commands; what it answers is parsed by whoever asked. */
export interface SenderOf<Command> {
  send(command: Command): Promise<unknown>;
}

/** One operation of AWS. */
export type Call<Input> = (input: Input) => Promise<unknown>;

/** The call took longer than the poke timeout. */
export class PokeTimeout extends Error {
  override readonly name = 'PokeTimeout';
}

/** The rate budget has no room for the call in this run. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}
