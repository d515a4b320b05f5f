/**
 * The stage: the service on virtual time. Every function is the production one (`createX`), given a clock, a table, a
 * world and invocations of the simulation, one set for each invocation.
 */
import { createApi } from '../functions/api/api.ts';
import type { Api } from '../functions/api/dispatch.ts';
import type { Fact } from '../functions/core/untold.ts';
import { createDispatcher } from '../functions/dispatcher/dispatcher.ts';
import { createExecutionApi } from '../functions/execution-api/execution-api.ts';
import { createRetell } from '../functions/notifier/retell.ts';
import { createPokeWorker } from '../functions/poke-worker/poke-worker.ts';
import type { Log, Random } from '../functions/ports.ts';
import { ALL_OPEN } from '../functions/sensors/opened.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import { createShardWorker } from '../functions/shard-worker/worker.ts';
import { createStore } from '../functions/store/create-store.ts';
import { createMemoryTable } from '../functions/store/memory-table.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Store } from '../functions/store/store.ts';
import type { Table } from '../functions/store/table.ts';
import { createSimulatedDeferral } from './deferral.ts';
import { deliverEvents } from './events.ts';
import { createFaults } from './faults.ts';
import type { Faults } from './faults.ts';
import type { Fault, World } from './format.ts';
import { createGear } from './gear.ts';
import type { PokeMade } from './gear.ts';
import { createInvocations } from './invocations.ts';
import type { Invocations } from './invocations.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { FunctionName, Life } from './life.ts';
import { createReaders } from './readers.ts';
import type { Rig } from './rig.ts';
import { createStream } from './stream.ts';
import { createVirtualTime } from './virtual-time.ts';
import type { VirtualTime } from './virtual-time.ts';
import { scriptedEmr } from './world/emr.ts';
import { waitingExecutions } from './world/executions.ts';
import type { Told } from './world/executions.ts';
import { scriptedS3 } from './world/s3.ts';

export interface StageOptions {
  /** Epoch ms of second 0. */
  readonly start: number;
  readonly settings: ServiceSettings;
  readonly world: World;
  readonly faults: readonly Fault[];
  readonly random: Random;
  readonly log?: Log;
  /** Wraps what each invocation is given; where tests plant their faults. @default as it is */
  readonly rig?: Rig;
}

export interface Stage {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly invocations: Invocations;
  /** The table itself, to look at without time or faults. */
  readonly table: Table;
  readonly store: Store;
  /** The API in an invocation of its own. An invocation that dies is answered with 502, as by API Gateway. */
  readonly api: Api;
  readonly executionApi: Api;
  /** Deploys what is opened to sensors from now on. At first it is everything. */
  readonly open: (opened: Opened) => void;
  /** Told of every committed write, before its writer is. */
  readonly onChange: (listener: (change: TableChange) => void) => void;
  /** Told of every poke, when its sensor has an observation. */
  readonly onPoke: (listener: (poke: PokeMade) => void) => void;
  /** Told of every event that the bus has taken. */
  readonly onAlert: (listener: (event: Fact) => void) => void;
  /** Told of every execution that was waiting with a task token and is told of its task. */
  readonly onTold: (listener: (told: Told) => void) => void;
}

const PAGE_TOKEN_KEY = 'page tokens of the simulation';

/** Listeners, and how to tell them. */
function teller<What>() {
  const listeners: ((what: What) => void)[] = [];
  return {
    listen: (listener: (what: What) => void): void => void listeners.push(listener),
    tell: (what: What): void => {
      for (const listener of listeners) listener(what);
    },
  };
}

export function createStage(options: StageOptions): Stage {
  const { start, settings, world, random, rig = {} } = options;
  const time = createVirtualTime(start);
  const elapsedMs = () => time.now() - start;
  const second = () => elapsedMs() / 1000;
  const scripted = createFaults(options.faults, elapsedMs, random);
  const faults = rig.faults?.(scripted) ?? scripted;
  const ledger = createLedger(elapsedMs);
  const log = options.log ?? (() => undefined);
  let ids = 0;
  const newId = () => `op-${(ids += 1)}`;
  let opened = ALL_OPEN;

  const changes = teller<TableChange>();
  const pokes = teller<PokeMade>();
  const alerts = teller<Fact>();
  const told = teller<Told>();
  const memory = createMemoryTable({
    now: () => time.now(),
    indexLagMs: () => faults.indexLagMs(),
    onChange: changes.tell,
  });
  const table = rig.table?.(memory) ?? memory;
  const invocations = createInvocations({ time, faults, start, scripted: options.faults });
  const deferral = createSimulatedDeferral({
    time,
    ledger,
    invocations,
    gear: () => gear,
    settings,
    log,
    start,
    scripted: options.faults,
  });
  const gear = createGear({
    time,
    faults,
    ledger,
    table,
    settings,
    newId,
    opened: () => opened,
    log,
    rig,
    answers: { s3: scriptedS3(world.s3, second), emr: scriptedEmr(world.emr, second) },
    onPoke: pokes.tell,
    onAlert: alerts.tell,
    executions: waitingExecutions(told.tell),
    runDeferral: deferral.run,
    stateMachine: deferral.stateMachine,
    runWorker(event) {
      void invocations.start('shard-worker', (life) => {
        const [store, sensors, runs] = [gear.store(life), gear.sensors(life), gear.runs(life)];
        return createShardWorker({ store, sensors, clock: life.clock, newId, log, settings, runs })(event);
      });
    },
    runNotifier(event) {
      void invocations.start('notifier', (life) => {
        const [store, bus, callbacks] = [gear.store(life), gear.bus(life), gear.callbacks(life)];
        return createRetell({ store, bus, callbacks, clock: life.clock, log, settings })(event);
      });
    },
    runTask(event) {
      void invocations.start('poke-worker', (life) => {
        const [store, sensors, runs] = [gear.store(life), gear.sensors(life), gear.runs(life)];
        return createPokeWorker({ store, sensors, clock: life.clock, newId, log, settings, runs })(event);
      });
    },
  });

  deliverEvents({ time, start, events: world.events, invocations, gear, log });
  const readers = createReaders({ invocations, gear, log, settings, rig });
  createStream({ time, onChange: changes.listen, readers });

  const ticks = (at: number): void => {
    time.at(at, 'tick', () => {
      ticks(at + settings.tick_seconds * 1000);
      if (!faults.ticks()) return;
      void invocations.start('dispatcher', (life) => {
        const [store, workers] = [gear.store(life), gear.workers(life)];
        const [deferral, notifier] = [gear.deferral(life), gear.notifier(life)];
        return createDispatcher({ store, clock: life.clock, workers, deferral, notifier, settings, log })();
      });
    });
  };
  ticks(start + settings.tick_seconds * 1000);

  alerts.listen((event) => ledger.alert(event));
  told.listen(({ token }) => ledger.told(token));
  changes.listen(({ key, new: item }) => {
    ledger.write(key);
    const decision = item?.['decision'];
    if (key.startsWith('QUEUE#') && typeof decision === 'object' && decision !== null && 'desired' in decision) {
      ledger.decision(key.slice('QUEUE#'.length), Number(decision.desired));
    }
  });

  /** A synchronous invocation. */
  function door(name: FunctionName, create: (life: Life) => Api): Api {
    return (event) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Api>>>();
      const outcome = invocations.start(name, async (life) => {
        try {
          resolve(await life.hears(create(life)(event)));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      const hearOfDeath = async (): Promise<void> => {
        if ((await outcome) === 'killed') resolve({ statusCode: 502, body: '{"message":"Internal server error"}' });
      };
      void hearOfDeath();
      return promise;
    };
  }

  return {
    time,
    ledger,
    faults,
    invocations,
    table,
    store: createStore({ table, newId, shards: settings.shards }),
    open: (next) => {
      opened = next;
    },
    onChange: changes.listen,
    onPoke: pokes.listen,
    onAlert: alerts.listen,
    onTold: told.listen,
    api: door('api', (life) => {
      const [store, clock] = [gear.store(life), life.clock];
      return createApi({ store, clock, newId, log, settings, opened, allowCancel: true, pageTokenKey: PAGE_TOKEN_KEY });
    }),
    executionApi: door('execution-api', (life) => {
      const answer = createExecutionApi({ store: gear.store(life), clock: life.clock, log });
      return (event) => answer(rig.asked?.(event) ?? event);
    }),
  };
}
