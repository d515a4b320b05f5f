import { afterAll, beforeAll } from '@jest/globals';
import { createEmulatorTable } from './emulator.ts';
import type { EmulatorTable } from './emulator.ts';
import { storeContract } from './store-contract.ts';

let emulator: EmulatorTable;

beforeAll(async () => {
  emulator = await createEmulatorTable('store-contract');
});

afterAll(() => emulator.drop());

storeContract('dynamodb', () => emulator.table);
