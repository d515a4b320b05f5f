import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How a connection is gone when its next request comes: closed (Node: "socket hang up"), or reset. */
export type Drop = 'close' | 'reset';

/**
 * A server that keeps connections, and on command drops those that it has: what a client that was frozen meanwhile sends on
 * them gets no answer.
 * @param answer status and body for a request
 */
export async function droppingServer(answer: () => { readonly status: number; readonly body: string }) {
  const open = new Set<Socket>();
  const dropped = new Map<Socket, Drop>();
  let always: Drop | undefined;
  const counts = { requests: 0, connections: 0 };

  const server = createServer((request, response) => {
    counts.requests += 1;
    const drop = dropped.get(request.socket) ?? always;
    if (drop === 'reset') request.socket.resetAndDestroy();
    if (drop === 'close') request.socket.destroy();
    if (drop !== undefined) return;
    request.resume();
    const { status, body } = answer();
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.on('connection', (socket: Socket) => {
    counts.connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    counts,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Of the connections that there are now, none answers any more. */
    drop(how: Drop) {
      for (const socket of open) dropped.set(socket, how);
    },
    /** No connection answers, a fresh one neither. */
    dropAll(how: Drop | undefined) {
      always = how;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
