import { createServer } from 'node:net';

/**
 * @param preferred the port to take when nobody listens on it; 0 for any.
 * @returns a port of the loopback interface that was free a moment ago.
 */
export async function freePort(preferred: number): Promise<number> {
  return (await listenable(preferred)) ?? (await listenable(0)) ?? preferred;
}

function listenable(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
