import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { createEmulatorTable } from '../emulator.ts';
import type { EmulatorTable } from '../emulator.ts';
import { translate } from './wire.ts';

/**
 * Makes a table of our keys and indexes in a dynalite of its own, on a free port of this machine. Dropping the table ends
 * the server.
 */
export async function createDynaliteTable(config: { readonly maxAttempts?: number } = {}): Promise<EmulatorTable> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made = await createEmulatorTable('contract', { ...config, endpoint: `http://127.0.0.1:${port}` });
  translate(made.client);
  return {
    ...made,
    async drop() {
      await made.drop();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
