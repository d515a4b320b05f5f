import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { COMMON } from '../../functions/core/slots.ts';
import { parseScenario } from '../../simulator/format.ts';
import { changedStore } from '../../simulator/mutants/mutant.ts';
import type { Rig } from '../../simulator/rig.ts';
import { runScenario } from '../../simulator/scenario.ts';

const FILE = new URL('../scenarios/a-flood-in-mode-poke-leaves-room-for-ticks.json', import.meta.url);
const scenario = parseScenario(readFileSync(FILE, 'utf8'));

const FAULTS: readonly (readonly [string, Rig])[] = [
  [
    'runs that begin between two ticks do not look at what all queues share',
    {
      store: changedStore((store) => ({
        claimSlots: async (queue, wanted, capacity, now) =>
          queue === COMMON ? wanted : store.claimSlots(queue, wanted, capacity, now),
      })),
    },
  ],
  [
    'a tick does not count the runs that go on',
    {
      store: changedStore((store) => ({
        countAwake: async (...asked) => (asked[4] === 'leased' ? 0 : store.countAwake(...asked)),
      })),
    },
  ],
];

test.each(FAULTS)(
  'planted: %s',
  async (_, rig) => {
    const { misses } = await runScenario(scenario, 'smart', rig);
    expect(misses).toContainEqual(expect.objectContaining({ what: 'workers and runs at once from 0' }));
  },
  120_000,
);
