import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashcodeOfText } from '../../functions/core/identity.ts';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { Target } from '../../functions/core/target.ts';
import { createEvents } from '../../functions/events/events.ts';
import { createRecent } from '../../functions/events/recent.ts';
import { createSpending } from '../../functions/events/spending.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import { T0 } from '../support/tasks.ts';

let now: number;
let store: Store;
let woken: unknown[];
let lines: { readonly message: string }[];
let hear: (event: unknown) => Promise<void>;
let events = 0;
let refuse: boolean;

beforeEach(() => {
  now = T0;
  woken = [];
  lines = [];
  refuse = false;
  let ids = 0;
  store = createStore({
    table: createMemoryTable({ now: () => now }),
    newId: () => `op-${(ids += 1)}`,
    eventKeyOf: (sensor) => sensorCatalog.eventKeyOf(sensor),
  });
  const invoke = async (event: unknown) => {
    if (refuse) throw new Error('TooManyRequestsException');
    woken.push(event);
  };
  hear = createEvents({
    store,
    sensors: sensorCatalog,
    workers: { invoke },
    deferral: { invoke },
    recent: createRecent(),
    spending: createSpending(),
    clock: { now: () => now },
    log: (line) => lines.push(line),
  });
});

const created = (key: string, id = `e-${(events += 1)}`) => ({
  id,
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { bucket: { name: 'b' }, object: { key } },
});

async function waits(key: string[], fields: Partial<Target> = {}): Promise<Target> {
  const sensor = { type: 's3_key', bucket: 'b', key, wildcard_match: key.some((one) => one.includes('*')) };
  const hashcode = hashcodeOfText(key.join());
  const { target } = await store.join(
    {
      queue: 'default',
      mode: 'smart',
      hashcode,
      shardcode: 1,
      sensor,
      full_hash: 'f'.repeat(64),
      poke_interval: 600,
      exponential: false,
      next_deadline: T0 + 3_600_000,
      rev: 1,
      joined_at: now,
      first_poke_at: now,
      ...fields,
    },
    false,
  );
  return target;
}

const idOf = ({ queue, hashcode }: Target) => ({ queue, hashcode });
const poked = (...targets: Target[]) => ({
  kind: 'first_pokes',
  targets: targets.map((target) => ({ ...idOf(target), mode: 'smart', tasks: [] })),
});

describe('an event', () => {
  test('has the targets of its key poked at once, those of each mode by their own function', async () => {
    const smart = await waits(['k']);
    const deferrable = await waits(['k'], { mode: 'deferrable' });
    await waits(['other']);
    await hear(created('k'));
    expect(woken).toEqual([poked(smart), { kind: 'wake', targets: [idOf(deferrable)] }]);
    expect(lines).toEqual([{ message: 'event', event: 's3:b/k', found: 2, woken: 2 }]);
  });

  test('wakes lists and patterns that name its object, and no others', async () => {
    const list = await waits(['k', 'l']);
    const pattern = await waits(['k*']);
    await waits(['l', 'm']);
    await waits(['m*']);
    await hear(created('k'));
    expect(woken).toHaveLength(1);
    expect(new Set((woken[0] as ReturnType<typeof poked>).targets)).toEqual(new Set(poked(list, pattern).targets));
  });

  test('that nobody waits for is over after two queries and says nothing', async () => {
    await waits(['k']);
    await hear(created('other'));
    await hear({ ...created('k'), 'detail-type': 'Object Deleted' });
    await hear(undefined);
    expect({ woken, lines }).toEqual({ woken: [], lines: [] });
  });

  test('wakes no target that sleeps, and none of a paused queue', async () => {
    const asleep = await waits(['k']);
    await store.goDormant(asleep, now);
    await store.saveQueue(undefined, {
      ...DEFAULT_QUEUE,
      name: 'still',
      rev: 1,
      idle: false,
      active_at: now,
      paused: true,
    });
    await waits(['k'], { queue: 'still' });
    await hear(created('k'));
    expect(woken).toEqual([]);
    const going = await waits(['k'], { queue: 'going' });
    await hear(created('k'));
    expect(woken).toEqual([poked(going)]);
  });

  test('that comes again within seconds wakes nothing; another one does', async () => {
    const target = await waits(['k']);
    const event = created('k');
    await hear(event);
    await hear(event);
    expect(woken).toHaveLength(1);
    await hear(created('k'));
    expect(woken).toHaveLength(2);
    now += 5_000;
    await hear(event);
    expect(woken).toEqual([poked(target), poked(target), poked(target)]);
  });

  test('of a flood wakes a target a few times in seconds, and the others as they come', async () => {
    await waits(['part-*']);
    const other = await waits(['x']);
    for (let part = 0; part < 100; part += 1) await hear(created(`part-${part}`));
    expect(woken).toHaveLength(5);
    await hear(created('x'));
    expect(woken[5]).toEqual(poked(other));
    now += 5_000;
    await hear(created('part-100'));
    expect(woken).toHaveLength(7);
  });

  test('wakes 200 targets at most, and says that there were more', async () => {
    for (let n = 0; n < 201; n += 1) await waits(['k'], { queue: `q-${n}` });
    await hear(created('k'));
    expect((woken[0] as ReturnType<typeof poked>).targets).toHaveLength(200);
    expect(lines.map(({ message }) => message)).toEqual(['more targets than an event wakes', 'event']);
  });

  test('of a storm wakes no more than the part of the budget for first pokes allows', async () => {
    const steps = Array.from({ length: 20 }, (_, n) => `s-${n}`);
    for (const step_id of steps) {
      const sensor = { type: 'emr_step', job_flow_id: 'j-1', step_id, target_states: ['COMPLETED'], failed_states: [] };
      await waits([step_id], { sensor });
    }
    const ended = (stepId: string) => ({
      id: `ended-${stepId}`,
      source: 'aws.emr',
      'detail-type': 'EMR Step Status Change',
      detail: { clusterId: 'j-1', stepId, state: 'COMPLETED' },
    });
    // A quarter of EMR's burst of 10, then of its 0.5 calls a second.
    for (const step of steps) await hear(ended(step));
    expect(woken).toHaveLength(2);
    now += 8_000;
    for (const step of steps.slice(2)) await hear(ended(step));
    expect(woken).toHaveLength(3);
    await waits(['k']);
    await hear(created('k'));
    expect(woken).toHaveLength(4);
  });

  test('that could not be handed on is to be delivered again', async () => {
    await waits(['k']);
    refuse = true;
    const event = created('k');
    await expect(hear(event)).rejects.toThrow('TooManyRequests');
    refuse = false;
    await hear(event);
    expect(woken).toHaveLength(1);
  });
});
