/**
 * What all queues together take of the account's concurrency: workers and runs, at most `max_concurrency` at once (ADR 25).
 * Workers come before runs, since ticks must go on; within each, no queue gets more while another one that wants has
 * less. Pure.
 */

/** What a queue asks for in a tick. */
export interface Demand {
  readonly workers: number;
  /** Runs that go on, or have just been claimed: nobody takes them back. */
  readonly held: number;
  /** Runs that it wants at once, the held ones among them. */
  readonly runs: number;
}

export interface Share {
  readonly workers: number;
  /** The held ones among them. */
  readonly runs: number;
}

/** Of the whole, what is left free of runs, so that there is room for workers in every tick. */
const WORKERS_PART = 0.2;

/** @returns how many runs all queues together may have at once. */
export function mostRuns(cap: number): number {
  return cap - Math.max(1, Math.ceil(cap * WORKERS_PART));
}

/**
 * Divides the concurrency of a tick.
 * @param cap how many workers and runs there may be at once, 2 or more
 * @param demands of each queue
 * @param turn counts ticks: what cannot be divided goes to another queue each time, so that none is left out for ever
 * @returns a share for each; spare: how many runs may begin until the next tick besides. All together are at most `cap`
 * where the held runs are at most `mostRuns(cap)`.
 */
export function shareConcurrency(
  cap: number,
  demands: readonly Demand[],
  turn: number,
): { readonly shares: readonly Share[]; readonly spare: number } {
  const kept = cap - mostRuns(cap);
  const held = sum(demands.map((demand) => demand.held));
  const workers = fairShares(
    Math.max(kept, cap - held),
    demands.map((demand) => ({ least: 0, most: demand.workers })),
    turn,
  );
  const room = Math.max(held, cap - Math.max(kept, sum(workers)));
  const runs = fairShares(
    room,
    demands.map((demand) => ({ least: demand.held, most: Math.max(demand.held, demand.runs) })),
    turn,
  );
  const shares = workers.map((own, index) => ({ workers: own, runs: runs[index] ?? 0 }));
  return { shares, spare: room - sum(runs) };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Max-min fairness: a level that is the same for all, within the bounds of each; what is left of `room` goes around. */
function fairShares(room: number, bounds: readonly Bounds[], turn: number): readonly number[] {
  const at = (level: number) => bounds.map(({ least, most }) => Math.max(least, Math.min(most, level)));
  let low = 0;
  let high = Math.max(0, ...bounds.map(({ most }) => most));
  while (low < high) {
    const level = Math.ceil((low + high) / 2);
    if (sum(at(level)) <= room) low = level;
    else high = level - 1;
  }
  const shares = at(low);
  // Those who are at the level and want more: one each, from another one on in each turn.
  const open = bounds.flatMap(({ most }, index) => (shares[index] === low && most > low ? [index] : []));
  const over = Math.min(open.length, Math.max(0, room - sum(shares)));
  const lucky = new Set(Array.from({ length: over }, (_, n) => open[(n + turn) % open.length]));
  return shares.map((share, index) => (lucky.has(index) ? share + 1 : share));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
