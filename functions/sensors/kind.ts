import type * as z from 'zod/mini';
import type { SensorSpec } from '../core/task.ts';
import { validate } from '../validation.ts';
import type { AwsCalls } from './aws-calls.ts';
import type { Cancellation, Permission, PokeIo, PokeItem, Sensor } from './sensor.ts';

/** What a sensor's file exports: all of the sensor but its poke, and how it gets that once there are calls to make. */
export interface SensorKind<Context extends SensorSpec> extends Omit<Sensor<Context>, 'poke'> {
  /** Where what it watches can be ended, for a user who removes a task with cancel_on_kill; granted to opt-ins alone. */
  readonly cancelling?: {
    readonly permissions: readonly Permission[];
    connect(calls: AwsCalls): Cancel<Context>;
  };
  /** Tells its specs by `type: z.literal(...)`, so that it can be one of the union of all sensors. */
  readonly schema: z.ZodMiniType<Context> & z.core.$ZodTypeDiscriminable;
  /** @returns the poke, which makes its calls through `calls`. */
  connect(calls: AwsCalls): Sensor<Context>['poke'];
}

/** Ends what a context watches. @param again whether an earlier call may have been made */
export type Cancel<Context> = (context: Context, again: boolean, io: PokeIo) => Promise<Cancellation>;

/** A stored spec that the sensor's schema does not take: poison. */
export class UnreadableSpec extends Error {
  override readonly name = 'UnreadableSpec';
}

/** Contexts that are kept by their text: a few megabytes. */
const MOST_REMEMBERED = 20_000;

/** A kind whose contexts are specs of any origin: kinds of all types have this one type. */
export type AnyKind = SensorKind<SensorSpec>;

/**
 * Hides the type of a kind's context. A stored spec is parsed again before it is used (once an object), since the record
 * may be older than the sensor's code: one that cannot be read throws UnreadableSpec. What a function that stays warm meets
 * tick after tick it reads once.
 */
export function anyKind<Context extends SensorSpec>(kind: SensorKind<Context>): AnyKind {
  const { batchKey, notBefore, eventKey, concerns, cancelling, ...others } = kind;
  const known = new WeakMap<SensorSpec, Context>();
  const byText = new Map<string, Context>();
  const remembered = (spec: SensorSpec): Context => {
    const text = JSON.stringify(spec);
    const met = byText.get(text);
    if (met !== undefined) return met;
    const context = readSpec(kind.schema, spec);
    if (byText.size >= MOST_REMEMBERED) byText.clear();
    byText.set(text, context);
    return context;
  };
  const contextOf = (spec: SensorSpec): Context => {
    const context = known.get(spec) ?? remembered(spec);
    known.set(spec, context);
    return context;
  };
  return {
    ...others,
    resources: (spec) => kind.resources(contextOf(spec)),
    ...(batchKey && { batchKey: (spec) => batchKey(contextOf(spec)) }),
    ...(notBefore && { notBefore: (spec) => notBefore(contextOf(spec)) }),
    ...(eventKey && { eventKey: (spec) => eventKey(contextOf(spec)) }),
    ...(concerns && { concerns: (spec, narrowest) => concerns(contextOf(spec), narrowest) }),
    ...(cancelling && {
      cancelling: {
        permissions: cancelling.permissions,
        connect(calls: AwsCalls) {
          const cancel = cancelling.connect(calls);
          return (spec: SensorSpec, again: boolean, io: PokeIo) => cancel(contextOf(spec), again, io);
        },
      },
    }),
    connect(calls) {
      const poke = kind.connect(calls);
      return (items, io) =>
        poke(
          items.map(({ context, first }): PokeItem<Context> => ({ context: contextOf(context), first })),
          io,
        );
    },
  };
}

/** @throws UnreadableSpec that names what is wrong. */
export function readSpec<Context>(schema: z.ZodMiniType<Context>, spec: unknown): Context {
  const parsed = validate(schema, spec);
  if (parsed.ok) return parsed.value;
  const faults = parsed.faults.map(({ field, detail }) => `${field} ${detail}`).join('; ');
  throw new UnreadableSpec(`the stored sensor cannot be read: ${faults}`);
}
