import * as z from 'zod/mini';
import type { SensorSpec } from '../core/task.ts';
import type { AnyKind, SensorKind } from './kind.ts';

export interface ExternalContext extends SensorSpec {
  readonly type: 'external';
  /** The sensor that tells the truth about the work when its own worker has gone silent. */
  readonly watches?: SensorSpec;
}

/**
 * Work of an outside worker, which reports its end over the execution API: a poke never ends it. It asks nobody itself;
 * what it watches is poked by whoever wants the truth, as the sensor that it is.
 * @param kinds what can be watched
 */
export function external(kinds: readonly [AnyKind, ...AnyKind[]]): SensorKind<ExternalContext> {
  const [first, ...more] = kinds;
  const watches = z.discriminatedUnion('type', [first.schema, ...more.map(({ schema }) => schema)]);
  return {
    type: 'external',
    summary: 'An outside worker reports the end of its own work; `watches` is a sensor that knows the truth about it.',
    schema: z.strictObject({ type: z.literal('external'), watches: z.exactOptional(watches) }),
    operations: [],
    permissions: [],
    resources: ({ watches: spec }) => {
      if (spec === undefined) return [];
      return kinds.find(({ type }) => type === spec.type)?.resources(spec) ?? [];
    },
    connect: () => async (items) => items.map(() => ({ kind: 'not_met' })),
  };
}
