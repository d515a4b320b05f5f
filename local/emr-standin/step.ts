import type { StepConfig } from './inputs.ts';

/** How a step of the stand-in lives: its state is computed from its plan and the time, nothing ticks. */
export type StepState = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED' | 'INTERRUPTED';

export interface FailureDetails {
  readonly Reason?: string | undefined;
  readonly Message?: string | undefined;
  readonly LogFile?: string | undefined;
}

/** What happens to a step, counted from the moment it was added. */
export interface StepPlan {
  readonly pendingMs: number;
  readonly runningMs: number;
  readonly outcome: 'COMPLETED' | 'FAILED' | 'INTERRUPTED';
  /** What a step that fails gives as the reason. */
  readonly failure?: FailureDetails | undefined;
}

export interface Step {
  readonly id: string;
  readonly config: StepConfig;
  readonly addedAt: number;
  readonly plan: StepPlan;
  /** An end that came from outside (a cancellation, a script) in place of the planned one. */
  readonly override?: { readonly at: number; readonly state: StepState; readonly failure?: FailureDetails | undefined };
}

export const DEFAULT_PLAN: StepPlan = { pendingMs: 1_000, runningMs: 5_000, outcome: 'COMPLETED' };

const FLAG = /^--standin-(pending|running|outcome|reason|message|log-file)=(.*)$/s;

/**
 * Reads the plan from the arguments of a step, so that a client of the plain EMR API can write it:
 * `--standin-pending=2 --standin-running=30` (seconds), `--standin-outcome=FAILED`, `--standin-reason=...`,
 * `--standin-message=...`, `--standin-log-file=...`. What is not said comes from `defaults`.
 * @throws RangeError for a number or an outcome that is none.
 */
export function planFromArgs(args: readonly string[], defaults: StepPlan = DEFAULT_PLAN): StepPlan {
  const flags = new Map<string, string>();
  for (const arg of args) {
    const [, name, value] = FLAG.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) flags.set(name, value);
  }
  const [Reason, Message, LogFile] = ['reason', 'message', 'log-file'].map((name) => flags.get(name));
  const silent = Reason === undefined && Message === undefined && LogFile === undefined;
  return {
    pendingMs: milliseconds(flags.get('pending'), defaults.pendingMs),
    runningMs: milliseconds(flags.get('running'), defaults.runningMs),
    outcome: outcome(flags.get('outcome'), defaults.outcome),
    failure: silent ? defaults.failure : { Reason, Message, LogFile },
  };
}

export function stepState(step: Step, now: number): StepState {
  const { addedAt, plan, override } = step;
  if (override !== undefined && now >= override.at) return override.state;
  if (now < addedAt + plan.pendingMs) return 'PENDING';
  return now < addedAt + plan.pendingMs + plan.runningMs ? 'RUNNING' : plan.outcome;
}

export function isActive(state: StepState): boolean {
  return state === 'PENDING' || state === 'RUNNING';
}

/** When it reached the state that it has at `now`, if that is an end. */
export function endedAt(step: Step, now: number): number | undefined {
  if (isActive(stepState(step, now))) return undefined;
  const planned = step.addedAt + step.plan.pendingMs + step.plan.runningMs;
  return step.override !== undefined && now >= step.override.at ? step.override.at : planned;
}

function milliseconds(seconds: string | undefined, otherwise: number): number {
  if (seconds === undefined) return otherwise;
  const value = Number(seconds) * 1_000;
  if (!(value >= 0)) throw new RangeError(`"${seconds}" is no number of seconds`);
  return value;
}

function outcome(value: string | undefined, otherwise: StepPlan['outcome']): StepPlan['outcome'] {
  if (value === undefined) return otherwise;
  if (value === 'COMPLETED' || value === 'FAILED' || value === 'INTERRUPTED') return value;
  throw new RangeError(`"${value}" is no outcome; there are COMPLETED, FAILED and INTERRUPTED`);
}
