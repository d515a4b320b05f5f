/** The routes below a queue: for its own tasks as the routes of all, for those of another queue as if there were none. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES, withQueues } from '../../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../../functions/execution-api/routes.ts';
import { aService, SENSOR } from './service.ts';
import type { CallOptions, Reply, Service } from './service.ts';

const OWNER = { hostname: 'h', unixname: 'u', pid: 1 };

/** A body that each route takes; what is not here takes none. */
const BODIES: Readonly<Record<string, object>> = {
  submitTasks: { id: 'new', sensor: SENSOR },
  markTask: { state: 'success' },
  runTaskInstance: OWNER,
  updateTaskInstanceState: { state: 'success' },
  heartbeatTaskInstance: { hostname: 'h', pid: 1 },
};

const BELOW = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)].filter(({ id, of }) => id !== of);
const OF_AN_ID = BELOW.filter(({ path }) => path.includes('{id}'));

const pathOf = (template: string, queue: string, id = 'external') =>
  template.replace('{name}', queue).replace('{id}', id);

/** Without the part that says which queue. */
const plain = (template: string) => template.replace('/queues/{name}', '');

/** A service with tasks of two queues, one of which an outside worker runs. */
async function aPair(): Promise<Service> {
  const service = aService();
  for (const queue of ['team-a', 'team-b']) {
    const more = queue === 'team-a' ? '' : '-b';
    await service.submit({ id: `poked${more}`, queue, sensor: SENSOR });
    await service.submit({ id: `external${more}`, queue, sensor: { type: 'external' }, retries: 2 });
    await service.call('PATCH', `/execution/task-instances/external${more}/run`, OWNER);
  }
  return service;
}

describe('every route of tasks and of workers', () => {
  test('stands below a queue, and nothing else does', () => {
    const ids = [...ROUTES, ...EXECUTION_ROUTES].filter(({ path }) => /\/(tasks|task-instances)\b/.test(path));
    expect(BELOW.map(({ of }) => of)).toEqual(ids.map(({ id }) => id));
    expect(BELOW.every(({ path }) => /^\/(v1|execution)\/queues\/\{name\}\/task/.test(path))).toBe(true);
  });

  const CASES: [string, string, string][] = BELOW.map(({ of, method, path }) => [of, method, path]);

  test.each(CASES)('%s answers for its own queue as it does without one', async (of, method, path) => {
    const [one, other] = [await aPair(), await aPair()];
    const below = await one.call(method, pathOf(path, 'team-a'), BODIES[of]);
    const body = of === 'submitTasks' ? { ...BODIES[of], queue: 'team-a' } : BODIES[of];
    const query = of === 'listTasks' ? '?queue=team-a' : '';
    const above = await other.call(method, `${pathOf(plain(path), 'team-a')}${query}`, body);
    expect(below.status).toBeLessThan(300 + (of === 'taskReady' ? 200 : 0));
    expect([below.status, below.body]).toEqual([above.status, above.body]);
    const { Location = '', ...headers } = below.headers;
    const { Location: without = '', ...others } = above.headers;
    expect(headers).toEqual(others);
    expect(String(Location).replace('/queues/team-a', '')).toBe(without);
    expect(String(Location)).toBe(of === 'submitTasks' ? '/v1/queues/team-a/tasks/new' : '');
    expect(one.changes).toEqual(other.changes);
  });

  test.each(OF_AN_ID.map(({ of, method, path }) => [of, method, path] as const))(
    '%s knows no task of another queue, nor one of no queue: as an unknown id, and nothing is written',
    async (of, method, path) => {
      const service = await aPair();
      const before = service.changes.length;
      const unknown = await service.call(method, pathOf(path, 'team-a', 'nobody'), BODIES[of]);
      expect(unknown).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/^there is no task/) } });
      const tried = path.includes('task-instances') ? ['~1', '~2'] : [];
      for (const id of ['external-b', 'poked-b', ...tried.map((part) => `external-b${part}`)]) {
        expect(await service.call(method, pathOf(path, 'team-a', id), BODIES[of])).toEqual(unknown);
      }
      // A queue that nobody has used, a name that is a beginning of the queue's, one of another case, and none at all.
      for (const queue of ['team-c', 'team', 'TEAM-A', 'team-a-', '-', '..']) {
        expect(await send(service, method, path, { name: queue, id: 'external' }, BODIES[of])).toEqual(unknown);
      }
      expect(await send(service, method, path, { id: 'external' }, BODIES[of])).toEqual(unknown);
      expect(service.changes).toHaveLength(before);
    },
  );
});

/** As API Gateway might hand a request on: with parameters that no path gives. */
async function send(
  service: Service,
  method: string,
  resource: string,
  pathParameters: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Reply> {
  const options: CallOptions = { handedOn: { resource, pathParameters } };
  return service.call(method, resource, body, options);
}

describe('a submit below a queue', () => {
  const submit = (service: Service, body: unknown) => service.call('POST', '/v1/queues/team-a/tasks', body);

  test('goes into that queue, and is the same submit with the queue in its body and without', async () => {
    const service = aService();
    const first = await submit(service, { id: 'a', sensor: SENSOR });
    expect(first).toMatchObject({ status: 201, body: { id: 'a', queue: 'team-a' } });
    const written = service.changes.length;
    expect(await submit(service, { id: 'a', sensor: SENSOR, queue: 'team-a' })).toEqual(first);
    const above = await service.call('POST', '/v1/tasks', { id: 'a', sensor: SENSOR, queue: 'team-a' });
    expect(above.body).toEqual(first.body);
    expect(service.changes).toHaveLength(written);
  });

  test.each(['team-b', 'default', '', 'TEAM-A', null, 7, ['team-a'], { name: 'team-a' }])(
    'is refused where its body names the queue %j; the field is named and nothing is written',
    async (queue) => {
      const service = aService();
      const refusal = { detail: 'queue must be team-a, the only queue that is reached this way', field: 'queue' };
      expect(await submit(service, { id: 'a', sensor: SENSOR, queue })).toMatchObject({ status: 422, body: refusal });
      expect(await submit(service, { tasks: [{ id: 'a', sensor: SENSOR, queue }] })).toMatchObject({
        status: 422,
        body: { field: 'tasks[0].queue', results: [{ id: 'a', status: 422, problem: refusal }] },
      });
      expect(service.changes).toEqual([]);
    },
  );

  test('of a batch takes those of the queue, and each that names another is refused by itself', async () => {
    const service = aService();
    const queues = [undefined, 'team-b', 'team-a'];
    const tasks = queues.map((queue, at) => ({ id: `t${at}`, sensor: SENSOR, ...(queue && { queue }) }));
    const reply = await submit(service, { tasks });
    expect(reply.body.results.map(({ id, status }) => [id, status])).toEqual([
      ['t0', 201],
      ['t1', 422],
      ['t2', 201],
    ]);
    expect(await service.store.task('t1')).toBeUndefined();
    expect((await service.task('t0')).queue).toBe('team-a');
  });

  test('of an id that another queue has says that the id is taken, and no more', async () => {
    const service = await aPair();
    await service.submit({ id: 'mine', queue: 'team-a', sensor: SENSOR, retries: 3 });
    const before = service.changes.length;
    const others = await submit(service, { id: 'poked-b', sensor: SENSOR });
    expect(others.status).toBe(409);
    // The very words of an own id that was submitted otherwise.
    expect(others).toEqual(await submit(service, { id: 'mine', sensor: SENSOR }));
    expect(JSON.stringify(others.body)).not.toContain('team-b');
    const batch = await submit(service, { tasks: [{ id: 'poked-b', sensor: SENSOR }] });
    expect(batch.status).toBe(409);
    expect(JSON.stringify(batch.body)).not.toContain('team-b');
    expect(service.changes).toHaveLength(before);
  });

  test('into a queue whose name is none names the field', async () => {
    expect(await aService().call('POST', '/v1/queues/-a/tasks', { sensor: SENSOR })).toMatchObject({
      status: 422,
      body: { field: 'queue' },
    });
  });

  test.each([null, 5, [], 'text'])('of %j is refused as it is without a queue', async (body) => {
    const service = aService();
    expect(await submit(service, body)).toEqual(await service.call('POST', '/v1/tasks', body));
  });
});

describe('a listing below a queue', () => {
  const list = (service: Service, query = '', queue = 'team-a') =>
    service.call('GET', `/v1/queues/${queue}/tasks${query}`);

  test('has the tasks of that queue, and none of a queue that there is not', async () => {
    const service = await aPair();
    const { body } = await list(service);
    expect(body.tasks.map(({ id }) => id).toSorted()).toEqual(['external', 'poked']);
    expect((await list(service, '', 'team-c')).body).toEqual({ tasks: [] });
    expect((await list(service, '?queue=team-a')).body).toEqual(body);
  });

  test.each(['?queue=team-b', '?queue=', '?queue=team-a&queue=team-b', '?queue=team-b&state=failed'])(
    'is refused with %s',
    async (query) => {
      expect(await list(await aPair(), query)).toMatchObject({ status: 422, body: { field: 'queue' } });
    },
  );

  test('a page token serves the listing that it was given for, whichever path asks', async () => {
    const service = await aPair();
    const { next = '', tasks: first } = (await list(service, '?limit=1')).body;
    const rest = await list(service, `?limit=1&next=${next}`);
    expect(new Set([...first, ...rest.body.tasks].map(({ id }) => id))).toEqual(new Set(['external', 'poked']));
    expect((await service.call('GET', `/v1/tasks?queue=team-a&limit=1&next=${next}`)).body).toEqual(rest.body);
    for (const other of [
      await list(service, `?next=${next}`, 'team-b'),
      await service.call('GET', `/v1/tasks?next=${next}`),
      await list(service, `?state=failed&next=${next}`),
    ]) {
      expect(other).toMatchObject({ status: 422, body: { field: 'next' } });
    }
    const above = (await service.call('GET', '/v1/tasks?queue=team-a&limit=1')).body.next;
    expect((await list(service, `?limit=1&next=${above}`)).body).toEqual(rest.body);
  });
});

test('whatever is asked below a queue, in any order, is answered as without it, and moves no task of another', async () => {
  const steps = fc.array(
    fc.record({
      route: fc.constantFrom(...OF_AN_ID),
      id: fc.constantFrom('poked', 'external', 'external~1', 'external~2', 'nobody', 'a/b'),
      state: fc.constantFrom('success', 'failed', 'skipped', 'nonsense'),
      seconds: fc.nat(400),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (asked) => {
      const [one, other] = [await aPair(), await aPair()];
      const theirs = await one.task('external-b');
      let elapsed = 0;
      for (const { route, id, state, seconds } of asked) {
        elapsed += seconds;
        one.at(elapsed);
        other.at(elapsed);
        const own = BODIES[route.of];
        const body = own !== undefined && 'state' in own ? { state } : own;
        const [name, at] = ['team-a', encodeURIComponent(id)];
        const below = await one.call(route.method, pathOf(route.path, name, at), body);
        expect(below).toEqual(await other.call(route.method, pathOf(plain(route.path), name, at), body));
        const foreign = await one.call(route.method, pathOf(route.path, name, `${id.split('~')[0]}-b`), body);
        expect([404, 422]).toContain(foreign.status);
      }
      expect(await one.task('external-b')).toEqual(theirs);
    }),
    { numRuns: 40 },
  );
});
