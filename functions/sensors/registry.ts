import * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';
import type { SensorSpec } from '../core/task.ts';
import { validate } from '../validation.ts';
import type { AwsCalls } from './aws-calls.ts';
import { readEvent } from './aws-events.ts';
import type { Happened } from './aws-events.ts';
import { readSpec, UnreadableSpec, type AnyKind } from './kind.ts';
import { KINDS } from './list.ts';
import { closedTo, notOpened } from './opened.ts';
import type { Opened } from './opened.ts';
import type { Cancellation, PokeIo, Sensor } from './sensor.ts';

const byType: ReadonlyMap<string, AnyKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
const [first, ...more] = KINDS;

/** A submitted `sensor` field, of any type: equal waits give equal specs, and a spec gives itself. */
export const sensorSchema: z.ZodMiniType<SensorSpec> = z.discriminatedUnion('type', [
  first.schema,
  ...more.map(({ schema }) => schema),
]);

/** Parses a submitted `sensor` field. @returns the normalised spec, or what is wrong with it by field (`watches.key`). */
export function parseSensor(
  input: unknown,
):
  | { readonly ok: true; readonly spec: SensorSpec }
  | { readonly ok: false; readonly issues: readonly { readonly field: string; readonly message: string }[] } {
  const parsed = validate(sensorSchema, input);
  if (parsed.ok) return { ok: true, spec: parsed.value };
  return { ok: false, issues: parsed.faults.map(({ field, detail }) => ({ field, message: detail })) };
}

/** What is known of specs without any client. */
export interface SensorCatalog {
  /** @returns the ARNs that a poke reads, for `isAllowed`. @throws where the spec cannot be read. */
  resourcesOf(spec: SensorSpec): readonly string[];
  /** @returns what can share a call with it has the same; undefined: alone, as is a spec that cannot be read. */
  batchKeyOf(spec: SensorSpec): string | undefined;
  /** @returns before which instant (epoch ms) a poke is pointless. */
  notBeforeOf(spec: SensorSpec): number | undefined;
  /** @returns the event key under which an event finds its target; undefined: no event ends it. */
  eventKeyOf(spec: SensorSpec): string | undefined;
  /** @returns what an event of EventBridge says; undefined if it can end no wait. */
  readEvent(event: unknown): Happened | undefined;
  /** @returns whether an event can matter to it, by the narrowest of the event's keys. */
  concerns(spec: SensorSpec, narrowest: string): boolean;
  /** @returns the operation that its pokes mostly call; undefined: it asks nobody. */
  operationOf(spec: SensorSpec): string | undefined;
  /** @returns whether what it watches can be ended: of an external task, what that names. */
  cancels(spec: SensorSpec): boolean;
  /** @returns the spec that an external task names as the truth about its work; undefined for all else. */
  watchedBy(spec: SensorSpec): SensorSpec | undefined;
}

/** A poke that is due. */
export interface Poke {
  /** Of whom it is waited for. */
  readonly queue: string;
  readonly spec: SensorSpec;
  readonly first: boolean;
}

/** The sensors with their clients. */
export interface Sensors extends SensorCatalog {
  /** @returns a sensor whose context is the whole spec. @throws if there is none of its type: the record is poison. */
  sensorOf(spec: SensorSpec): Sensor<SensorSpec>;
  /**
   * Pokes specs of one type and batch key. @returns an observation for each, in order; an error, and no call, for what the
   * operator has not opened to the queue.
   * @throws what is a defect, of a spec or of the sensor: poison.
   */
  poke(items: readonly Poke[], io: PokeIo): Promise<readonly Observation[]>;
  /**
   * Ends what a removed task of a queue watched; for a user's word and nothing else.
   * @param again an earlier call may have been made. @returns undefined where there is nothing that could be ended.
   */
  cancel(queue: string, spec: SensorSpec, again: boolean, io: PokeIo): Promise<Cancellation | undefined>;
}

/** A spec that cannot be read has no batch: it is poked alone, and what is wrong with it meets nobody else. */
function unlessPoison<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof UnreadableSpec) return undefined;
    throw error;
  }
}

export const sensorCatalog: SensorCatalog = {
  resourcesOf: (spec) => known(byType.get(spec.type), spec).resources(spec),
  batchKeyOf: (spec) => unlessPoison(() => byType.get(spec.type)?.batchKey?.(spec)),
  notBeforeOf: (spec) => unlessPoison(() => byType.get(spec.type)?.notBefore?.(spec)),
  eventKeyOf: (spec) => unlessPoison(() => byType.get(spec.type)?.eventKey?.(spec)),
  readEvent,
  concerns: (spec, narrowest) => unlessPoison(() => byType.get(spec.type)?.concerns?.(spec, narrowest)) ?? true,
  operationOf: (spec) => byType.get(spec.type)?.operations[0],
  cancels: (spec) => byType.get(watchedOr(spec).type)?.cancelling !== undefined,
  watchedBy,
};

function watchedBy(spec: SensorSpec): SensorSpec | undefined {
  const watched = spec.type === 'external' ? spec['watches'] : undefined;
  return watched === undefined ? undefined : readSpec(sensorSchema, watched);
}

function watchedOr(spec: SensorSpec): SensorSpec {
  return watchedBy(spec) ?? spec;
}

/**
 * @param calls of one attempt each (`maxAttempts: 1`: the rate budget counts attempts)
 * @param opened what may be read: judged anew at each poke, since it may have been narrowed while a task waited
 * @returns the sensors
 */
export function createSensors(calls: AwsCalls, opened: Opened): Sensors {
  const sensors = new Map(KINDS.map((kind) => [kind.type, { ...kind, poke: kind.connect(calls) }]));
  const cancels = new Map(KINDS.map(({ type, cancelling }) => [type, cancelling?.connect(calls)]));
  const sensorOf = (spec: SensorSpec): Sensor<SensorSpec> => known(sensors.get(spec.type), spec);
  const refusalOf = (queue: string, spec: SensorSpec): string | undefined => {
    const arn = closedTo(opened, queue, sensorCatalog.resourcesOf(spec));
    return arn === undefined ? undefined : notOpened(arn, queue);
  };
  return {
    ...sensorCatalog,
    sensorOf,
    async poke(items, io) {
      const refusals = items.map(({ queue, spec }) => refusalOf(queue, spec));
      const asked = items.filter((_, index) => refusals[index] === undefined);
      const contexts = asked.map(({ spec, first: isFirst }) => ({ context: spec, first: isFirst }));
      const answers = asked[0] === undefined ? [] : await sensorOf(asked[0].spec).poke(contexts, io);
      if (answers.length !== asked.length) throw new Error(`the sensor gave ${answers.length} of ${asked.length}`);
      const open = answers.values();
      return refusals.flatMap((reason): Observation[] => {
        if (reason !== undefined) return [{ kind: 'error', reason }];
        const { value } = open.next();
        return value === undefined ? [] : [value];
      });
    },
    async cancel(queue, spec, again, io) {
      const reason = refusalOf(queue, spec);
      if (reason !== undefined) return { kind: 'refused', reason };
      const watched = watchedOr(spec);
      return cancels.get(watched.type)?.(watched, again, io);
    },
  };
}

function known<Found>(found: Found | undefined, { type }: SensorSpec): Found {
  if (found === undefined) throw new Error(`there is no sensor of the type ${type}`);
  return found;
}
