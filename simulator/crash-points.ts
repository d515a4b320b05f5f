/**
 * Crash points: a scenario is run once for each call that it makes, with an invocation that dies there: before it, or just
 * after it was made; and each write once with its answer lost. Whatever dies, the tasks end as they do without it.
 */
import type { Task } from '../functions/core/task.ts';
import type { Fate, Faults } from './faults.ts';
import type { Scenario } from './format.ts';
import type { Rig } from './rig.ts';
import { runWatched } from './watched-run.ts';
import type { WatchedRun } from './watched-run.ts';

export interface CrashPoint {
  /** The n-th call of the run, from 0. */
  readonly call: number;
  /** `dynamodb:UpdateItem`, `s3:HeadObject`, ... */
  readonly operation: string;
  readonly fate: 'crash' | 'last' | 'lost_answer';
}

export interface CrashReport {
  readonly calls: number;
  readonly runs: number;
  /** What came out otherwise than without the crash, or must not be. */
  readonly wrong: readonly (CrashPoint & { readonly what: string })[];
}

/** What has to be the same, by id. */
export type Outcome = (task: Task) => unknown;

const WRITES = new Set(['dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:BatchExecuteStatement']);

const EFFECTS = new Set(['lambda:Invoke', 'eventbridge:PutEvents']);

/**
 * @param scenario one whose outcome does not hang on a minute more or less
 * @param outcome of a task, that has to be the same whatever crashes
 * @param brief whether a run is over when its tasks are, and not when their targets are gone
 */
export async function crashPoints(scenario: Scenario, outcome: Outcome, brief: boolean): Promise<CrashReport> {
  const operations: string[] = [];
  const rig = counting((operation) => void operations.push(operation));
  const baseline = await runWatched(scenario, { brief, rig });
  if (baseline.violations.length > 0) throw new Error(`${scenario.name}: ${JSON.stringify(baseline.violations)}`);
  const expected = outcomes(baseline, outcome);
  const wrong: (CrashPoint & { what: string })[] = [];
  const points = operations.flatMap((operation, call) => fatesOf(operation).map((fate) => ({ call, operation, fate })));
  for (const point of points) {
    const run = await runWatched(scenario, { brief, rig: striking(point), troubledUntil: baseline.ended });
    const [violation] = run.violations;
    const came = outcomes(run, outcome);
    if (violation !== undefined) wrong.push({ ...point, what: `${violation.rule}: ${violation.what}` });
    else if (came !== expected) wrong.push({ ...point, what: `${came}, and without it ${expected}` });
  }
  return { calls: operations.length, runs: points.length, wrong };
}

/** Of a read nothing is left: dying before it is dying after the call before. */
function fatesOf(operation: string): readonly CrashPoint['fate'][] {
  if (WRITES.has(operation)) return ['crash', 'last', 'lost_answer'];
  return EFFECTS.has(operation) ? ['crash', 'last'] : ['last'];
}

function outcomes({ tasks }: WatchedRun, outcome: Outcome): string {
  const all = [...tasks.values()].map((task) => [task.id, outcome(task)]);
  return JSON.stringify(all.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function counting(tell: (operation: string) => void): Rig {
  return {
    faults: (faults) =>
      watched(faults, (operation) => {
        tell(operation);
        return undefined;
      }),
  };
}

function striking({ call, fate }: CrashPoint): Rig {
  let calls = 0;
  return { faults: (faults) => watched(faults, () => (calls++ === call ? { kind: fate } : undefined)) };
}

/** Faults that are told of each call, and may be told its fate. */
function watched(faults: Faults, fateOf: (operation: string) => Fate | undefined): Faults {
  return {
    ...faults,
    fate: (service, operation) => fateOf(`${service}:${operation}`) ?? faults.fate(service, operation),
  };
}
