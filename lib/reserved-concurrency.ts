import type { Accelerator } from './accelerator.ts';
import type { Deferral } from './deferral.ts';
import type { LambdaFunction } from './lambda-function.ts';
import type { Notifications } from './notifications.ts';
import type { PokeWorker } from './poke-worker.ts';
import type { SmartSensor } from './smart-sensor.ts';
import type { SubmitAndWait } from './submit-and-wait.ts';

/** The functions of a service, for whoever keeps concurrency for one. */
const NAMES = [
  'api',
  'execution',
  'dispatcher',
  'shardWorker',
  'firstPoke',
  'router',
  'deferral',
  'pokeWorker',
  'events',
  'notifier',
  'submit',
] as const;

type Name = (typeof NAMES)[number];

/** Concurrent executions that are kept for a function, and that it never exceeds: `{ dispatcher: 1, shardWorker: 50 }`. */
export type ReservedConcurrency = Readonly<Partial<Record<Name, number>>>;

/** The parts of a service that have functions. */
interface Parts {
  readonly smartSensor: SmartSensor;
  readonly deferral: Deferral;
  readonly pokeWorker: PokeWorker;
  readonly accelerator?: Accelerator;
  readonly notifications: Notifications;
  readonly submitAndWait: SubmitAndWait;
}

/**
 * Keeps concurrency of the account for functions of a service.
 * @throws Error naming the function, where there is none or the number is none of executions.
 */
export function reserve(
  reserved: ReservedConcurrency,
  { smartSensor, deferral, pokeWorker, accelerator, notifications, submitAndWait }: Parts,
  apis: Readonly<Record<'api' | 'execution', LambdaFunction>>,
): void {
  const { dispatcher, shardWorker, firstPoke, router } = smartSensor;
  const functions: Readonly<Record<Name, LambdaFunction | undefined>> = {
    ...apis,
    dispatcher,
    shardWorker,
    firstPoke,
    router,
    deferral: deferral.worker,
    pokeWorker: pokeWorker.worker,
    events: accelerator?.events,
    notifier: notifications.notifier,
    submit: submitAndWait.function,
  };
  for (const name of Object.keys(reserved)) {
    if (!NAMES.some((known) => known === name)) {
      throw new Error(`reservedConcurrency.${name}: there is no such function, only ${NAMES.join(', ')}`);
    }
  }
  for (const name of NAMES) {
    const executions = reserved[name];
    if (executions === undefined) continue;
    if (!Number.isInteger(executions) || executions < 1) {
      throw new Error(`reservedConcurrency.${name} is ${executions}; it should be a whole number from 1`);
    }
    const one = functions[name];
    if (one === undefined) throw new Error(`reservedConcurrency.${name}: the function is switched off`);
    one.reserve(executions);
  }
}
