/**
 * Where an invocation's virtual time goes: into waits, into calls, or into neither. Each call takes the same time here,
 * whatever it asks; whoever bills an invocation puts the real time of a call in its place, and leaves the waits as they are.
 */

/** What holds an invocation: a wait of its own, or a call of a service. */
export type Holder = 'wait' | Service;
export type Service = (typeof SERVICES)[number];

/** The slower ones first: while calls of several services are open, the time belongs to the first of them. */
const SERVICES = ['emr', 's3', 'other', 'dynamodb'] as const;

export interface Spent {
  /** While the code slept until an instant, whatever calls were open besides, ms. */
  readonly waitedMs: number;
  /** While it waited for calls and nothing else, ms of virtual time by the slowest service. */
  readonly calledMs: Readonly<Record<Service, number>>;
  /** Neither: back-off, and calls without an answer, ms. */
  readonly otherMs: number;
  /** Pokes that were answered while the code was not asleep: their processor time is not hidden in a wait. */
  readonly pokes: number;
}

export interface Account {
  /** Something begins to hold it. @returns ends it */
  begin(holder: Holder): () => void;
  /** So many targets have been poked. */
  poked(count: number): void;
  /** @returns the account up to now. */
  spent(): Spent;
}

export function createAccount(now: () => number): Account {
  const open: Record<Holder, number> = { wait: 0, dynamodb: 0, s3: 0, emr: 0, other: 0 };
  const calledMs: Record<Service, number> = { dynamodb: 0, s3: 0, emr: 0, other: 0 };
  let waitedMs = 0;
  let otherMs = 0;
  let pokes = 0;
  let upTo = now();

  /** Books what has passed since the last change. */
  function book(): void {
    const passed = now() - upTo;
    if (passed === 0) return;
    upTo += passed;
    const service = SERVICES.find((one) => open[one] > 0);
    if (open.wait > 0) waitedMs += passed;
    else if (service === undefined) otherMs += passed;
    else calledMs[service] += passed;
  }

  return {
    begin(holder) {
      book();
      open[holder] += 1;
      return () => {
        book();
        open[holder] -= 1;
      };
    },
    poked: (count) => {
      if (open.wait === 0) pokes += count;
    },
    spent() {
      book();
      return { waitedMs, calledMs: { ...calledMs }, otherMs, pokes };
    },
  };
}
