import { describe } from '@jest/globals';
import type { Table } from '../../functions/store/table.ts';
import { bookingStoreContract } from './booking-store-contract.ts';
import { eventStoreContract } from './event-store-contract.ts';
import { generationStoreContract } from './generation-store-contract.ts';
import { losingAnswers } from './lost-answers.ts';
import { recordStoreContract } from './record-store-contract.ts';
import { runStoreContract } from './run-store-contract.ts';
import { targetStoreContract } from './target-store-contract.ts';
import { taskStoreContract } from './task-store-contract.ts';
import { untoldStoreContract } from './untold-store-contract.ts';

/** What every store must do; and all of it once more where each write's first answer is lost. */
export function storeContract(suite: string, make: () => Table): void {
  const all = (name: string, table: () => Table) => {
    taskStoreContract(`${name}-tasks`, table);
    targetStoreContract(`${name}-targets`, table);
    generationStoreContract(`${name}-generations`, table);
    eventStoreContract(`${name}-events`, table);
    recordStoreContract(`${name}-records`, table);
    runStoreContract(`${name}-runs`, table);
    bookingStoreContract(`${name}-bookings`, table);
    untoldStoreContract(`${name}-untold`, table);
  };
  all(suite, make);
  describe('when the answer of every write is lost', () => {
    all(`${suite}-lost`, () => losingAnswers(make()));
  });
}
