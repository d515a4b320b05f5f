import type { Table } from '../../functions/store/table.ts';
import { tableConditionsContract } from './table-conditions-contract.ts';
import { tableIndexesContract } from './table-indexes-contract.ts';
import type { Kindness } from './kinder.ts';
import { tableRefusalsContract } from './table-refusals-contract.ts';
import { tableSetup } from './table-setup.ts';
import { tableWritesContract } from './table-writes-contract.ts';

/**
 * What every Table must do. Keys and partitions are the suite's own, so that one table may serve all of its tests.
 * @param kinder what this implementation takes, though DynamoDB refuses it
 */
export function tableContract(suite: string, make: () => Table, kinder: Kindness = {}): void {
  const setup = tableSetup(suite, make);
  tableWritesContract(setup);
  tableConditionsContract(setup);
  tableIndexesContract(setup);
  tableRefusalsContract(setup, kinder);
}
