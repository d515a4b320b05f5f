/** Planted faults of what is taken for the truth: observations, windows, workers' words. */
import type { Observation } from '../../functions/core/observation.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import type { Rig } from '../rig.ts';
import { changedStore, changedTable } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const DAY_MS = 86_400_000;

function changedObservations(
  change: (observation: Observation, spec: SensorSpec) => Observation,
): NonNullable<Rig['sensors']> {
  return (sensors) => ({
    ...sensors,
    async poke(items, io) {
      const observations = await sensors.poke(items, io);
      return observations.map((observation, index) => change(observation, items[index]?.spec ?? { type: '' }));
    },
  });
}

export const outside = {
  'throttle-is-a-failure': {
    what: 'a throttled poke counts as a failure',
    rig: () => ({
      sensors: changedObservations((one) =>
        one.kind === 'unknown' && one.throttled === true ? { kind: 'failed', reason: one.reason } : one,
      ),
    }),
  },
  'unknown-is-not-met': {
    what: 'no answer counts as "not yet"',
    rig: () => ({ sensors: changedObservations((one) => (one.kind === 'unknown' ? { kind: 'not_met' } : one)) }),
  },
  'unknown-ends-a-wait': {
    what: 'no answer counts as a success',
    rig: () => ({ sensors: changedObservations((one) => (one.kind === 'unknown' ? { kind: 'met' } : one)) }),
  },
  'met-is-remembered': {
    what: 'what was met once counts for every later try',
    rig: () => {
      const met = new Set<string>();
      return {
        sensors: changedObservations((one, spec) => {
          const key = JSON.stringify(spec);
          if (one.kind === 'met') met.add(key);
          return met.has(key) ? { kind: 'met' } : one;
        }),
      };
    },
  },
  'window-from-the-start': {
    what: 'the infrastructure window opens with the try and not with the first unknown',
    rig: () => ({
      store: changedStore((store) => ({
        async awake(...place) {
          const found = await store.awake(...place);
          const old = found.targets.map((target) => {
            return target.first_unknown_at === undefined
              ? target
              : { ...target, first_unknown_at: target.first_unknown_at - DAY_MS };
          });
          return { ...found, targets: old };
        },
      })),
    }),
  },
  'window-never-closed': {
    what: 'a clean poke does not close the infrastructure window',
    rig: () => ({
      table: changedTable('TARGET#', {
        update: (update) => {
          const remove = (update.change.remove ?? []).filter((name) => name !== 'first_unknown_at');
          return { ...update, change: { ...update.change, remove } };
        },
      }),
    }),
  },
  'stale-try-accepted': {
    what: 'the execution API takes the word of an older try',
    rig: () => ({
      asked: (event) => {
        const { id = '' } = event.pathParameters ?? {};
        return { ...event, pathParameters: { id: id.replace(/~\d+$/, '') } };
      },
    }),
  },
} as const satisfies Readonly<Record<string, Mutant>>;
