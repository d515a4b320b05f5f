import { afterAll, beforeAll } from '@jest/globals';
import type { EmulatorTable } from '../emulator.ts';
import { KINDER } from '../kinder.ts';
import { tableContract } from '../table-contract.ts';
import { createDynaliteTable } from './table.ts';

let dynalite: EmulatorTable;

beforeAll(async () => {
  dynalite = await createDynaliteTable();
});

afterAll(() => dynalite.drop());

tableContract('dynalite', () => dynalite.table, KINDER.dynalite);
