/**
 * The stage: the service on virtual time. Every function is the production one (`createX`), given a clock, a table, a
 * world and invocations of the simulation, one set for each invocation.
 */
import { createApi } from '../functions/api/api.ts';
import type { Api } from '../functions/api/dispatch.ts';
import { createDispatcher } from '../functions/dispatcher/dispatcher.ts';
import { createExecutionApi } from '../functions/execution-api/execution-api.ts';
import { createNotifier } from '../functions/notifier/notifier.ts';
import type { Invoker, Log, Random } from '../functions/ports.ts';
import { createRouter } from '../functions/router/router.ts';
import { createSensors } from '../functions/sensors/registry.ts';
import type { Sensors } from '../functions/sensors/registry.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import type { WorkerEvent } from '../functions/shard-worker/events.ts';
import { createShardWorker } from '../functions/shard-worker/worker.ts';
import { createStore } from '../functions/store/create-store.ts';
import { createMemoryTable } from '../functions/store/memory-table.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Store } from '../functions/store/store.ts';
import type { Table } from '../functions/store/table.ts';
import { createFaults } from './faults.ts';
import type { Faults } from './faults.ts';
import type { Fault, World } from './format.ts';
import { createInvocations } from './invocations.ts';
import type { Invocations } from './invocations.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { FunctionName, Life } from './life.ts';
import { CALL_MS, simTable } from './sim-table.ts';
import { createStream } from './stream.ts';
import { createVirtualTime } from './virtual-time.ts';
import type { VirtualTime } from './virtual-time.ts';
import { scriptedEmr } from './world/emr.ts';
import { scriptedS3 } from './world/s3.ts';
import { scriptedSender } from './world/sender.ts';

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

/** Hooks for planted faults, in the tests alone. */
export interface Rig {
  readonly table?: (table: Table) => Table;
  readonly store?: (store: Store, life: Life) => Store;
}

export interface Stage {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly invocations: Invocations;
  /** The table itself, to look at without time or faults. */
  readonly table: Table;
  readonly store: Store;
  /** The API in an invocation of its own. Never answers if the invocation dies. */
  readonly api: Api;
  readonly executionApi: Api;
  /** What the production code logged. */
  readonly onChange: (listener: (change: TableChange) => void) => void;
}

const PAGE_TOKEN_KEY = 'page tokens of the simulation';

export function createStage(options: StageOptions): Stage {
  const { start, settings, world, random, rig = {} } = options;
  const time = createVirtualTime(start);
  const elapsedMs = () => time.now() - start;
  const second = () => elapsedMs() / 1000;
  const faults = createFaults(options.faults, elapsedMs, random);
  const ledger = createLedger(elapsedMs);
  const log = options.log ?? (() => undefined);
  let ids = 0;
  const newId = () => `op-${(ids += 1)}`;

  const listeners: ((change: TableChange) => void)[] = [];
  const memory = createMemoryTable({
    now: () => time.now(),
    indexLagMs: () => faults.indexLagMs(),
    onChange: (change) => {
      for (const listener of listeners) listener(change);
    },
  });
  const table = rig.table === undefined ? memory : rig.table(memory);
  const invocations = createInvocations({ time, faults, start, scripted: options.faults });

  const answerS3 = scriptedS3(world.s3, second);
  const answerEmr = scriptedEmr(world.emr, second);

  function storeFor(life: Life): Store {
    const store = createStore({
      table: simTable({ table, time, faults, ledger }, life),
      newId,
      shards: settings.shards,
      onPoison: (poison) => log({ message: 'unreadable record', ...poison }),
    });
    return rig.store === undefined ? store : rig.store(store, life);
  }

  function sensorsFor(life: Life): Sensors {
    return createSensors({
      s3: scriptedSender({ time, faults, ledger }, life, 's3', answerS3),
      emr: scriptedSender({ time, faults, ledger }, life, 'emr', answerEmr),
    });
  }

  function workersFor(caller: Life): Invoker<WorkerEvent> {
    return {
      async invoke(event) {
        await caller.hears(time.clock.sleep(CALL_MS));
        const fate = faults.fate('lambda', 'Invoke');
        if (fate.kind === 'error') throw new Error(`lambda:Invoke: ${fate.error}`);
        invocations.start('shard-worker', (life) =>
          createShardWorker({
            store: storeFor(life),
            sensors: sensorsFor(life),
            clock: life.clock,
            newId,
            log,
            settings,
          })(event),
        );
      },
    };
  }

  async function publishes(life: Life): Promise<void> {
    await life.hears(time.clock.sleep(CALL_MS));
    const fate = faults.fate('eventbridge', 'PutEvents');
    if (fate.kind === 'error') throw new Error(`eventbridge:PutEvents: ${fate.error}`);
  }

  createStream({
    time,
    onChange: (listener) => listeners.push(listener),
    readers: {
      router: (changes) =>
        invocations.start('router', (life) => createRouter({ workers: workersFor(life), log })(changes)),
      notifier: (changes) =>
        invocations.start('notifier', (life) =>
          createNotifier({
            bus: {
              async publish(events) {
                await publishes(life);
                for (const event of events) ledger.alert(event);
                return [];
              },
            },
            deadLetters: { send: async () => publishes(life) },
            clock: life.clock,
            log,
          })(changes),
        ),
    },
  });

  const ticks = (at: number): void => {
    time.at(at, 'tick', () => {
      ticks(at + settings.tick_seconds * 1000);
      if (!faults.ticks()) return;
      invocations.start('dispatcher', (life) =>
        createDispatcher({ store: storeFor(life), clock: life.clock, workers: workersFor(life), settings, log })(),
      );
    });
  };
  ticks(start + settings.tick_seconds * 1000);

  listeners.push(({ key, new: item }) => {
    ledger.write(key);
    const decision = item?.['decision'];
    if (key.startsWith('QUEUE#') && typeof decision === 'object' && decision !== null && 'desired' in decision) {
      ledger.decision(key.slice('QUEUE#'.length), Number(decision.desired));
    }
  });

  /** A synchronous invocation: answers when it answers, or never. */
  function door(name: FunctionName, create: (life: Life) => Api): Api {
    return (event) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Api>>>();
      invocations.start(name, async (life) => {
        try {
          resolve(await life.hears(create(life)(event)));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      return promise;
    };
  }

  const allow = ['*'];
  return {
    time,
    ledger,
    faults,
    invocations,
    table,
    store: createStore({ table, newId, shards: settings.shards }),
    onChange: (listener) => void listeners.push(listener),
    api: door('api', (life) =>
      createApi({
        store: storeFor(life),
        clock: life.clock,
        newId,
        log,
        settings,
        allow,
        pageTokenKey: PAGE_TOKEN_KEY,
      }),
    ),
    executionApi: door('execution-api', (life) =>
      createExecutionApi({ store: storeFor(life), clock: life.clock, log }),
    ),
  };
}
