import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { storeContract } from './store-contract.ts';

storeContract('memory', () => createMemoryTable());
