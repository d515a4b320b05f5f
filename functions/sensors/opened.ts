/**
 * What the operator has opened to sensors: one file in the asset of each function that judges (docs/adr/0020). A submit, a
 * clear and each poke ask here, so that narrowing it ends waits.
 */
import { isAllowed } from './permissions.ts';

export interface Opened {
  /** ARN patterns of what sensors may read. */
  readonly allow: readonly string[];
  /** Queues whose tasks may read less, by name. */
  readonly queues: Readonly<Record<string, { readonly allow: readonly string[] }>>;
  /** Whether the tasks of a queue that is not listed may read nothing, in place of all of `allow`. */
  readonly closed: boolean;
}

/** The name of the file that holds it, beside a function's code. */
export const OPENED_FILE = 'opened.json';

/** @returns the ARN patterns of what a queue's tasks may read. */
function allowOf({ allow, queues, closed }: Opened, queue: string): readonly string[] {
  if (Object.hasOwn(queues, queue)) return queues[queue]?.allow ?? [];
  return closed ? [] : allow;
}

/** @returns the first of the ARNs that is not opened to the tasks of a queue; undefined: they may be read. */
export function closedTo(opened: Opened, queue: string, arns: readonly string[]): string | undefined {
  const allow = allowOf(opened, queue);
  return arns.find((arn) => !isAllowed(arn, allow));
}

/** @returns the sentence that says so. */
export function notOpened(arn: string, queue: string): string {
  return `the operator has not opened ${arn} to the queue ${queue}`;
}

/** Nothing is closed to anybody: for whoever is no operator (the simulator, benchmarks). */
export const ALL_OPEN: Opened = { allow: ['*'], queues: {}, closed: false };
