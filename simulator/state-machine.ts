/**
 * Step Functions, as far as the deferral's state machine goes: runs its definition, state by state, with its Retry and
 * its Catch. A name is taken for ever, and a history that grows too long ends its execution.
 */
import { deferralDefinition } from '../functions/deferral/definition.ts';
import type { PokeAnswer, PokeEvent } from '../functions/deferral/events.ts';
import type { Ledger } from './ledger.ts';
import type { VirtualTime } from './virtual-time.ts';

/** After so many events Step Functions fails an execution. */
const HISTORY_LIMIT = 25_000;

/** Events of a state that is entered and left, of an attempt of a task, and of an execution's beginning. */
const EVENTS = { state: 2, attempt: 3, start: 1 } as const;

const { StartAt, States } = deferralDefinition('deferral');

type StateName = keyof typeof States;

/** What a state is entered with: the input, or what the function has answered. */
type Data = PokeEvent | PokeAnswer;

export interface StateMachine {
  /** Starts an execution, unless one of this name has ever been. */
  start(name: string, input: PokeEvent): void;
  stop(name: string): void;
  running(): ReadonlySet<string>;
  /** Ends all that run, as if they had never been. */
  vanish(): void;
}

/** @param invoke the deferral function: its answer, or undefined if the invocation failed or died */
export function createStateMachine(deps: {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly invoke: (event: Data) => Promise<PokeAnswer | undefined>;
}): StateMachine {
  const { time, ledger, invoke } = deps;
  const names = new Set<string>();
  const running = new Map<string, { events: number }>();

  async function run(name: string, input: PokeEvent): Promise<void> {
    const execution = { events: EVENTS.start };
    running.set(name, execution);
    let data: Data = input;
    let state: StateName | undefined = StartAt;
    while (state !== undefined && running.get(name) === execution && execution.events < HISTORY_LIMIT) {
      ledger.call('sfn', 'Transition');
      execution.events += EVENTS.state;
      const outcome: { data: Data; next: StateName | undefined } = await enter(state, data, execution);
      ({ data, next: state } = outcome);
    }
    if (running.get(name) === execution) running.delete(name);
  }

  async function enter(name: StateName, data: Data, execution: { events: number }) {
    switch (name) {
      case 'Wait':
        // What has passed is waited for no longer.
        await sleepUntil('at' in data ? Date.parse(data.at) : time.now());
        return { data, next: States.Wait.Next };
      case 'Pause':
        await time.clock.sleep(States.Pause.Seconds * 1000);
        return { data, next: States.Pause.Next };
      case 'Again?': {
        const [choice] = States['Again?'].Choices;
        const isChosen = 'next' in data && data.next === choice.StringEquals;
        return { data, next: isChosen ? choice.Next : States['Again?'].Default };
      }
      case 'Done':
        return { data, next: undefined };
      case 'Poke': {
        const answer = await attempts(data, execution);
        if (answer === undefined) return { data, next: States.Poke.Catch[0].Next };
        return { data: answer, next: States.Poke.Next };
      }
    }
  }

  /** The task's attempts by its Retry. @returns undefined where all of them failed. */
  async function attempts(data: Data, execution: { events: number }): Promise<PokeAnswer | undefined> {
    const [{ IntervalSeconds, MaxAttempts, BackoffRate }] = States.Poke.Retry;
    for (let retry = 0; ; retry += 1) {
      execution.events += EVENTS.attempt;
      const answer = await invoke(data);
      if (answer !== undefined || retry === MaxAttempts) return answer;
      ledger.call('sfn', 'Transition');
      await time.clock.sleep(IntervalSeconds * BackoffRate ** retry * 1000);
    }
  }

  async function sleepUntil(instant: number): Promise<void> {
    if (instant > time.now()) await time.clock.sleep(instant - time.now());
  }

  return {
    start(name, input) {
      if (names.has(name)) return;
      names.add(name);
      ledger.call('sfn', 'Execution');
      // It travels as JSON.
      void run(name, JSON.parse(JSON.stringify(input)) as PokeEvent);
    },
    stop: (name) => void running.delete(name),
    running: () => new Set(running.keys()),
    vanish: () => running.clear(),
  };
}
