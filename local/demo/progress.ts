import { type Group, GROUP_NAMES, type PlannedTask } from './plan.ts';
import { count, duration } from './text.ts';

/** Where the demo stands, as far as the events and the API have told. */
export interface Standing {
  readonly elapsedMs: number;
  /** How many tasks of a group have ended. */
  readonly ended: ReadonlyMap<Group, number>;
  readonly landed: number;
  /** What single tasks are doing, by group: `up_for_retry, try 1`. */
  readonly doing: ReadonlyMap<Group, string>;
  readonly alerts: number;
}

export interface Totals {
  readonly tasks: ReadonlyMap<Group, number>;
  readonly keys: number;
}

const BAR = 20;

export function totalsOf(planned: readonly PlannedTask[], keys: number): Totals {
  const groups = Map.groupBy(planned, ({ group }) => group);
  return { tasks: new Map([...groups].map(([group, tasks]) => [group, tasks.length])), keys };
}

/** @returns the lines of the block that a terminal shows. */
export function block({ tasks, keys }: Totals, standing: Standing): readonly string[] {
  const lines = [...tasks].map(([group, total]) => {
    const ended = standing.ended.get(group) ?? 0;
    const filled = Math.floor((ended / total) * BAR);
    const bar = total === 1 ? ''.padEnd(BAR) : '#'.repeat(filled).padEnd(BAR, '.');
    const detail = total === 1 ? (standing.doing.get(group) ?? '') : `${count(ended)} of ${count(total)}`;
    return `  ${GROUP_NAMES[group].padEnd(34)} ${bar} ${detail}`.trimEnd();
  });
  const { elapsedMs, landed, alerts } = standing;
  const head = `  ${duration(elapsedMs)}: ${landed} of ${keys} keys landed, ${count(alerts)} events received`;
  return [head, ...lines];
}

/** @returns the same in one line, for logs. */
export function line({ tasks, keys }: Totals, standing: Standing): string {
  const parts = [...tasks].map(([group, total]) => {
    if (total === 1) return `${group}: ${standing.doing.get(group) ?? '?'}`;
    return `${group}: ${standing.ended.get(group) ?? 0}/${total} ended`;
  });
  return `${duration(standing.elapsedMs)}: ${standing.landed}/${keys} keys landed; ${parts.join('; ')}`;
}

/** A stream of text that may be a terminal (process.stderr). */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  show(standing: Standing): void;
}

const PLAIN_EVERY_MS = 5_000;
const UP_AND_CLEAR = (lines: number): string => `\u001B[${lines}A\u001B[0J`;

/** One block that is written over itself on a terminal; elsewhere a line every five seconds, if something changed. */
export function createProgress(screen: Screen, totals: Totals): Progress {
  let shown = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let last = '';
  if (screen.isTTY === true) {
    return {
      show(standing) {
        // A line that wraps would be two, and the block would creep.
        const width = Math.max(20, (screen.columns ?? 80) - 1);
        const lines = block(totals, standing).map((text) => `${text.slice(0, width)}\n`);
        screen.write((shown > 0 ? UP_AND_CLEAR(shown) : '') + lines.join(''));
        shown = lines.length;
      },
    };
  }
  return {
    show(standing) {
      if (standing.elapsedMs - lastAt < PLAIN_EVERY_MS) return;
      const text = line(totals, { ...standing, elapsedMs: 0 });
      if (text === last) return;
      last = text;
      lastAt = standing.elapsedMs;
      screen.write(`  ${line(totals, standing)}\n`);
    },
  };
}
