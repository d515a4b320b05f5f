import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { noteStale } from '../sensors/stale-connection.ts';

/** As the SDK's own agents are. */
const KEPT = { keepAlive: true, maxSockets: 50 };

/** How Node names a connection that the other side has ended: "socket hang up" is an ECONNRESET, too. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** @returns the agents of a client, for its `requestHandler`: they note which requests fail on a stale connection. */
export function keptConnections() {
  return { httpAgent: noting(new HttpAgent(KEPT)), httpsAgent: noting(new Agent(KEPT)) };
}

/** A request is told to the agent's `reuseSocket` where its connection has served another one before. */
function noting<Kept extends HttpAgent>(agent: Kept): Kept {
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    reuse(socket, request);
    request.once('error', (error) => {
      if (!('code' in error && GONE.has(error.code))) return;
      noteStale(error);
      // The other idle ones have been frozen as long: what is sent once more shall not meet the next of them.
      for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy();
    });
  };
  return agent;
}
