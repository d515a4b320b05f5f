import { afterAll, beforeAll } from '@jest/globals';
import { callsContract } from '../calls-contract.ts';
import type { EmulatorTable } from '../emulator.ts';
import { KINDER } from '../kinder.ts';
import { tableContract } from '../table-contract.ts';
import { createDynaliteTable } from './table.ts';

let dynalite: EmulatorTable;

beforeAll(async () => {
  dynalite = await createDynaliteTable();
});

afterAll(() => dynalite.drop());

callsContract(() => dynalite, KINDER.dynalite);
tableContract('dynalite', () => dynalite.table, KINDER.dynalite);
