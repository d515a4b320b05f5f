/** What one invocation works with: its own view of the table, the world, the other functions and the bus. */
import type { Executions as Waits } from '../functions/deferral/deps.ts';
import type { DeferralEvent } from '../functions/deferral/events.ts';
import type { Bus } from '../functions/notifier/receivers.ts';
import type { RetellEvent } from '../functions/notifier/retell.ts';
import type { PokeWorkerEvent } from '../functions/poke-worker/events.ts';
import type { CallbackAnswer, Callbacks, Invoker, Log, NewId } from '../functions/ports.ts';
import type { Observation } from '../functions/core/observation.ts';
import type { SensorSpec } from '../functions/core/task.ts';
import type { Fact } from '../functions/core/untold.ts';
import { placement } from '../functions/sensors/placement.ts';
import { awsCalls } from '../functions/sensors/aws-calls.ts';
import { ANSWER_MS } from '../functions/runtime/answer-in-time.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import { createSensors, sensorCatalog } from '../functions/sensors/registry.ts';
import type { Sensors } from '../functions/sensors/registry.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import type { WorkerEvent } from '../functions/shard-worker/events.ts';
import { createStore } from '../functions/store/create-store.ts';
import type { Store } from '../functions/store/store.ts';
import type { Table } from '../functions/store/table.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { FunctionName, Life } from './life.ts';
import type { Rig } from './rig.ts';
import { CALL_MS, simTable } from './sim-table.ts';
import type { StateMachine } from './state-machine.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { Executions, Told } from './world/executions.ts';
import { scriptedSender } from './world/sender.ts';
import type { Answerer } from './world/sender.ts';

/** One poke as it was made: what the sensor was given and what it said. */
export interface PokeMade {
  readonly spec: SensorSpec;
  readonly observation: Observation;
}

export interface GearDeps {
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly ledger: Ledger;
  readonly table: Table;
  readonly settings: ServiceSettings;
  readonly newId: NewId;
  /** What is opened to sensors now. */
  readonly opened: () => Opened;
  readonly log: Log;
  readonly rig: Rig;
  readonly answers: { readonly s3: Answerer; readonly emr: Answerer };
  readonly runWorker: (event: WorkerEvent) => void;
  readonly runTask: (event: PokeWorkerEvent) => void;
  readonly runDeferral: (event: DeferralEvent) => void;
  readonly runNotifier: (event: RetellEvent) => void;
  readonly stateMachine: StateMachine;
  readonly onPoke: (poke: PokeMade) => void;
  readonly onAlert: (event: Fact) => void;
  readonly executions: Executions;
}

export interface Gear {
  store(life: Life): Store;
  sensors(life: Life): Sensors;
  workers(life: Life): Invoker<WorkerEvent>;
  /** Runs of tasks that poke for themselves. */
  runs(life: Life): Invoker<PokeWorkerEvent>;
  /** The deferral function, invoked by the service. */
  deferral(life: Life): Invoker<DeferralEvent>;
  /** The notifier, invoked by the service. */
  notifier(life: Life): Invoker<RetellEvent>;
  /** The executions that wait for deferrable targets. */
  waits(life: Life): Waits;
  bus(life: Life): Bus;
  /** The executions that wait with a task token. */
  callbacks(life: Life): Callbacks;
}

/** What a kill counts as their writes is what they hand on. */
const WRITES_NOTHING: ReadonlySet<FunctionName> = new Set(['router', 'events', 'notifier']);

export function createGear(deps: GearDeps): Gear {
  const { time, faults, ledger, settings, newId, log, rig, answers } = deps;
  const never = new Promise<never>(() => undefined);

  /** A call that does something outside of the table. Of a function that writes nothing else it is a write. */
  async function effect(life: Life, service: string, operation: string, make: () => void): Promise<void> {
    const over = life.account.begin('other');
    await life.hears(time.clock.sleep(CALL_MS));
    over();
    const fate = faults.fate(service, operation);
    if (fate.kind === 'hang') return life.name === 'notifier' ? noAnswer(life) : never;
    if (fate.kind === 'error') throw Object.assign(new Error(`${service}:${operation}`), { name: fate.error });
    if (fate.kind === 'crash') life.kill();
    const writesNothing = WRITES_NOTHING.has(life.name);
    if (writesNothing ? !life.mayWrite() : !life.alive()) return never;
    make();
    if (fate.kind === 'last') life.kill();
    return life.hears(Promise.resolve());
  }

  /** The notifier's clients wait no longer than this for an answer. */
  async function noAnswer(life: Life): Promise<never> {
    await life.hears(time.clock.sleep(ANSWER_MS));
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  }

  return {
    store(life) {
      const store = createStore({
        table: simTable({ table: deps.table, time, faults, ledger }, life),
        newId,
        shards: settings.shards,
        eventKeyOf: (sensor) => sensorCatalog.eventKeyOf(sensor),
        codeOf: placement(settings.shard_code_upper_limit),
        onPoison: (poison) => log({ message: 'unreadable record', ...poison }),
      });
      return rig.store?.(store, life, { alert: deps.onAlert }) ?? store;
    },

    sensors(life) {
      const sensors = createSensors(
        awsCalls({
          s3: scriptedSender({ time, faults, ledger }, life, 's3', answers.s3),
          emr: scriptedSender({ time, faults, ledger }, life, 'emr', answers.emr),
        }),
        deps.opened(),
      );
      const told: Sensors = {
        ...sensors,
        async poke(items, io) {
          const observations = await sensors.poke(items, io);
          life.account.poked(items.length);
          observations.forEach((observation, index) => {
            const spec = items[index]?.spec;
            if (spec !== undefined) deps.onPoke({ spec, observation });
          });
          return observations;
        },
      };
      return rig.sensors?.(told, life) ?? told;
    },

    workers(life) {
      const workers: Invoker<WorkerEvent> = {
        invoke: (event) => effect(life, 'lambda', 'Invoke', () => deps.runWorker(event)),
      };
      return rig.workers?.(workers, life) ?? workers;
    },

    runs: (life) => ({ invoke: (event) => effect(life, 'lambda', 'Invoke', () => deps.runTask(event)) }),

    deferral: (life) => ({ invoke: (event) => effect(life, 'lambda', 'Invoke', () => deps.runDeferral(event)) }),

    notifier: (life) => ({ invoke: (event) => effect(life, 'lambda', 'Invoke', () => deps.runNotifier(event)) }),

    waits(life) {
      const call = async (operation: string, make: () => void): Promise<void> => {
        ledger.call('sfn', operation);
        await effect(life, 'sfn', operation, make);
      };
      return {
        start: (name, input) => call('StartExecution', () => deps.stateMachine.start(name, input)),
        stop: (name) => call('StopExecution', () => deps.stateMachine.stop(name)),
        async running() {
          let names: ReadonlySet<string> = new Set();
          await call('ListExecutions', () => {
            names = deps.stateMachine.running();
          });
          return names;
        },
      };
    },

    bus: (life) => ({
      async publish(events) {
        ledger.call('eventbridge', 'PutEvents');
        await effect(life, 'eventbridge', 'PutEvents', () => {
          for (const event of events) deps.onAlert(event);
        });
        return [];
      },
    }),

    callbacks(life) {
      const send = async (operation: string, told: Told): Promise<CallbackAnswer> => {
        let waited = false;
        ledger.call('sfn', operation);
        await effect(life, 'sfn', operation, () => {
          waited = deps.executions.tell(told);
        });
        return waited ? 'told' : 'over';
      };
      return {
        succeed: (token, output) => send('SendTaskSuccess', { token, ok: true, output }),
        fail: (token, error, cause) => send('SendTaskFailure', { token, ok: false, error, cause }),
      };
    },
  };
}
