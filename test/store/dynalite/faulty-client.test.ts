import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EmulatorTable } from '../emulator.ts';
import { makeFaulty } from '../faulty-wire.ts';
import type { FaultyWire } from '../faulty-wire.ts';
import { storeContract } from '../store-contract.ts';
import { createDynaliteTable } from './table.ts';

let dynalite: EmulatorTable;
let wire: FaultyWire;

beforeAll(async () => {
  dynalite = await createDynaliteTable({ maxAttempts: 10 });
  wire = await makeFaulty(dynalite.client);
});

afterAll(() => dynalite.drop());

storeContract('dynalite behind a faulty wire', () => dynalite.table);

test('every fault was met', () => {
  for (const times of Object.values(wire.met)) expect(times).toBeGreaterThan(5);
});
