import { afterAll, beforeAll } from '@jest/globals';
import type { EmulatorTable } from '../emulator.ts';
import { storeContract } from '../store-contract.ts';
import { createDynaliteTable } from './table.ts';

let dynalite: EmulatorTable;

beforeAll(async () => {
  dynalite = await createDynaliteTable();
});

afterAll(() => dynalite.drop());

storeContract('dynalite', () => dynalite.table);
