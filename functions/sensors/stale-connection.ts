/**
 * Connections that died while the function was frozen. The first request on such a one fails and says nothing of AWS, and the
 * next poke may be an interval away: so it is sent once more, on a fresh connection (docs/adr/0028).
 */

const stale = new WeakSet<object>();

/** Notes that a request failed because its connection, kept from an earlier one, was gone. */
export function noteStale(error: object): void {
  stale.add(error);
}

/**
 * @param send what may be repeated without harm: the server may have heard the first one
 * @returns its answer, of the second one where the first met a stale connection
 */
export async function onceMoreIfStale<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (typeof error === 'object' && error !== null && stale.has(error)) return send();
    throw error;
  }
}
