import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';

export interface Stub {
  readonly url: string;
  /** Connections that were opened, and the most that were open at one time. */
  readonly connections: () => { readonly opened: number; readonly peak: number };
  readonly requests: () => number;
  stop(): Promise<void>;
}

/** An HTTP server on loopback that counts what it is asked, and over how many connections. */
export async function startStub(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Stub> {
  let opened = 0;
  let open = 0;
  let peak = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  // Longer than any bench: a connection that ends was ended by the client.
  server.keepAliveTimeout = 600_000;
  server.on('connection', (socket) => {
    opened += 1;
    open += 1;
    peak = Math.max(peak, open);
    socket.once('close', () => {
      open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stub has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => ({ opened, peak }),
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
