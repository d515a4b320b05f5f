import { types } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EMRClient } from '@aws-sdk/client-emr';
import { SFNClient } from '@aws-sdk/client-sfn';
import { stepFunctions } from '../../functions/runtime/callbacks.ts';
import { keptConnections } from '../../functions/runtime/connections.ts';
import { createS3Client } from '../../functions/runtime/s3-client.ts';
import { createRun } from '../../functions/shard-worker/run.ts';
import { poke, pokeAll, sensorsOver, specOf } from '../sensors/fakes.ts';
import { droppingServer } from './dropping-server.ts';

const KEY = { type: 's3_key', bucket: 'landing', key: 'a' };
const STEP = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };
const RUNNING = '{"Steps":[{"Id":"s-1","Status":{"State":"RUNNING"}}]}';

let reply = { status: 200, body: '' };
let server: Awaited<ReturnType<typeof droppingServer>>;
let world: ReturnType<typeof clients>;
let slots: string[] = [];
let room = Number.POSITIVE_INFINITY;

function clients() {
  const config = {
    endpoint: server.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: keptConnections(),
  };
  return {
    s3: createS3Client({ ...config, forcePathStyle: true }),
    emr: new EMRClient(config),
    sfn: new SFNClient(config),
  };
}

/** A run whose budget says which operations have asked it for a call, and has room for some. */
function run() {
  const clock = { now: () => Date.now(), sleep: () => new Promise<void>(() => undefined) };
  const slot = async (operation: string) => {
    slots.push(operation);
    return slots.length > room ? undefined : clock.now();
  };
  const budget = { nameOf: () => 's3', callsIn: () => 1000, shareIn: () => 1000, expect: () => undefined, slot };
  return createRun(clock, budget, 5000);
}

// Jest gives tests an `Error` of their own: an error of a socket is none to the SDK, which wraps it. In a function there is one.
beforeAll(() => {
  const instanceOf = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, value: unknown) {
      return this === Error ? types.isNativeError(value) : instanceOf.call(this, value);
    },
  });
});

afterAll(() => {
  Reflect.deleteProperty(Error, Symbol.hasInstance);
});

beforeEach(async () => {
  server = await droppingServer(() => reply);
  world = clients();
  reply = { status: 200, body: '' };
  slots = [];
  room = Number.POSITIVE_INFINITY;
});

afterEach(async () => {
  for (const client of Object.values(world)) client.destroy();
  await server.close();
});

describe.each(['close', 'reset'] as const)('a connection that is gone (%s)', (how) => {
  test('is met once: what reads is sent once more on a fresh one, and counted twice', async () => {
    const { io, counts } = run();
    expect(await poke(world, KEY, { io })).toEqual({ kind: 'met' });
    server.drop(how);
    expect(await poke(world, KEY, { io })).toEqual({ kind: 'met' });
    expect(server.counts).toEqual({ requests: 3, connections: 2 });
    expect(slots).toEqual(['s3:HeadObject', 's3:HeadObject', 's3:HeadObject']);
    expect(counts.calls).toBe(3);
  });

  test('of several none is met by what is sent once more', async () => {
    const keys = ['a', 'b', 'c', 'd'].map((key) => ({ ...KEY, key }));
    await pokeAll(world, keys, { io: run().io });
    expect(server.counts.connections).toBe(4);
    server.drop(how);
    expect(await poke(world, KEY, { io: run().io })).toEqual({ kind: 'met' });
    expect(server.counts).toEqual({ requests: 6, connections: 5 });
  });

  test("EMR's reads are sent once more, too", async () => {
    reply = { status: 200, body: RUNNING };
    await poke(world, STEP, { io: run().io });
    server.drop(how);
    expect(await poke(world, STEP, { io: run().io })).toEqual({ kind: 'not_met', state: 'RUNNING' });
    expect(server.counts.requests).toBe(3);
  });

  test('what changes something is not', async () => {
    reply = { status: 200, body: '{}' };
    const sensors = sensorsOver(world);
    await sensors.cancel('q', specOf(STEP), false, run().io);
    server.drop(how);
    expect(await sensors.cancel('q', specOf(STEP), false, run().io)).toMatchObject({ kind: 'unknown' });
    expect(server.counts.requests).toBe(2);
  });

  test('a waiting execution is told once more: it hears one of them', async () => {
    reply = { status: 200, body: '{}' };
    const callbacks = stepFunctions(world.sfn);
    await callbacks.succeed('t', {});
    server.drop(how);
    expect(await callbacks.fail('t', 'e', 'c')).toBe('told');
    expect(server.counts).toEqual({ requests: 3, connections: 2 });
  });

  test('a fresh connection that breaks is an answer of the network, and sent no more', async () => {
    server.dropAll(how);
    expect(await poke(world, KEY, { io: run().io })).toMatchObject({ kind: 'unknown' });
    expect(server.counts.requests).toBe(1);
  });

  test('and one that breaks after a stale one, too', async () => {
    await poke(world, KEY, { io: run().io });
    server.drop(how);
    server.dropAll(how);
    expect(await poke(world, KEY, { io: run().io })).toMatchObject({ kind: 'unknown' });
    expect(server.counts.requests).toBe(3);
  });

  test('without room in the budget nothing is sent once more', async () => {
    await poke(world, KEY, { io: run().io });
    server.drop(how);
    room = 2;
    expect(await poke(world, KEY, { io: run().io })).toMatchObject({ kind: 'unknown' });
    expect(server.counts.requests).toBe(2);
    expect(slots).toHaveLength(3);
  });
});
