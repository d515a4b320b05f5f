import type { Table } from '../../functions/store/table.ts';
import { tableConditionsContract } from './table-conditions-contract.ts';
import { tableIndexesContract } from './table-indexes-contract.ts';
import { tableSetup } from './table-setup.ts';
import { tableWritesContract } from './table-writes-contract.ts';

/** What every Table must do. Keys and partitions are the suite's own, so that one table may serve all of its tests. */
export function tableContract(suite: string, make: () => Table): void {
  const setup = tableSetup(suite, make);
  tableWritesContract(setup);
  tableConditionsContract(setup);
  tableIndexesContract(setup);
}
