import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEmulatorTable } from './emulator.ts';
import type { EmulatorTable } from './emulator.ts';
import { makeFaulty } from './faulty-wire.ts';
import type { FaultyWire } from './faulty-wire.ts';
import { storeContract } from './store-contract.ts';

let emulator: EmulatorTable;
let wire: FaultyWire;

beforeAll(async () => {
  emulator = await createEmulatorTable('faulty-client', { maxAttempts: 10 });
  wire = await makeFaulty(emulator.client);
});

afterAll(() => emulator.drop());

storeContract('dynamodb behind a faulty wire', () => emulator.table);

test('every fault was met', () => {
  for (const times of Object.values(wire.met)) expect(times).toBeGreaterThan(5);
});
