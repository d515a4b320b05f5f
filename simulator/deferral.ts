/** The deferral function and the state machine that it works with, wired to each other on virtual time. */
import { createDeferral } from '../functions/deferral/deferral.ts';
import type { DeferralEvent, PokeAnswer } from '../functions/deferral/events.ts';
import type { Log } from '../functions/ports.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import type { Fault } from './format.ts';
import type { Gear } from './gear.ts';
import type { Invocations } from './invocations.ts';
import type { Ledger } from './ledger.ts';
import { createStateMachine } from './state-machine.ts';
import type { StateMachine } from './state-machine.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Lambda tries an asynchronous invocation that failed again after these, ms. */
export const RETRIES_MS = [60_000, 120_000];

export interface Deferral {
  readonly stateMachine: StateMachine;
  /** An asynchronous invocation. */
  readonly run: (event: DeferralEvent) => void;
}

export function createSimulatedDeferral(deps: {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly invocations: Invocations;
  readonly gear: () => Gear;
  readonly settings: ServiceSettings;
  readonly log: Log;
  /** Epoch ms of second 0. */
  readonly start: number;
  readonly scripted: readonly Fault[];
}): Deferral {
  const { time, ledger, invocations, settings, log, start, scripted } = deps;

  /** @returns undefined if the invocation failed or died. */
  async function invoke(event: unknown): Promise<{ readonly answer: PokeAnswer | undefined } | undefined> {
    let answer: PokeAnswer | undefined;
    const outcome = await invocations.start('deferral', async (life) => {
      const gear = deps.gear();
      const [store, sensors, executions] = [gear.store(life), gear.sensors(life), gear.waits(life)];
      answer = await createDeferral({ store, sensors, executions, clock: life.clock, log, settings })(event);
    });
    return outcome === 'done' ? { answer } : undefined;
  }

  const stateMachine = createStateMachine({ time, ledger, invoke: async (event) => (await invoke(event))?.answer });

  for (const fault of scripted) {
    if ('vanish' in fault) time.at(start + fault.at * 1000, 'step', () => stateMachine.vanish());
  }

  return {
    stateMachine,
    run: (event) => {
      const insist = async (): Promise<void> => {
        for (const ms of [0, ...RETRIES_MS]) {
          if (ms > 0) await time.clock.sleep(ms);
          if ((await invoke(event)) !== undefined) return;
        }
      };
      void insist();
    },
  };
}
