import { afterAll, beforeAll } from '@jest/globals';
import { callsContract } from './calls-contract.ts';
import { createEmulatorTable } from './emulator.ts';
import type { EmulatorTable } from './emulator.ts';
import { KINDER } from './kinder.ts';
import { tableContract } from './table-contract.ts';

let emulator: EmulatorTable;

beforeAll(async () => {
  emulator = await createEmulatorTable('table-contract');
});

afterAll(() => emulator.drop());

callsContract(() => emulator, KINDER.ministack);
tableContract('dynamodb', () => emulator.table, KINDER.ministack);
