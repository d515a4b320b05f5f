import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { submittedTask } from '../../functions/api/schemas/task.ts';
import { EVIL } from './corpus.ts';
import { aService, SENSOR } from './service.ts';
import type { Reply, Service } from './service.ts';

const evil = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...EVIL) }, fc.string({ unit: 'binary' }), fc.double());

const anything = fc.oneof(
  { weight: 3, arbitrary: evil },
  { weight: 1, arbitrary: fc.array(evil, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), evil, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

const sensorFields = ['type', 'bucket', 'key', 'wildcard_match', 'min_size', 'job_flow_id', 'step_id', 'at', 'watches'];

/** A body with the right names and anything in them. */
function named(names: readonly string[]) {
  return fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 5 });
}

const sensor = fc.oneof(
  { weight: 4, arbitrary: fc.constant(SENSOR) },
  { weight: 2, arbitrary: named(sensorFields).map((fields) => ({ ...SENSOR, ...fields })) },
  { weight: 1, arbitrary: named([...sensorFields, 'target_states', 'failed_states', 'extra']) },
  { weight: 1, arbitrary: anything },
);

const body = fc
  .tuple(sensor, named([...Object.keys(submittedTask._zod.def.shape), 'extra']))
  .map(([one, fields]) => ({ sensor: one, ...fields }));

/** What was taken can be read, and repeated where it has an id of its own. */
async function checkTaken(service: Service, submitted: unknown, reply: Reply): Promise<void> {
  const path = `/v1/tasks/${encodeURIComponent(reply.body.id)}`;
  expect(await service.call('GET', path)).toMatchObject({ status: 200 });
  expect(await service.call('GET', `${path}/explain`)).toMatchObject({ status: 200 });
  if (!Object.hasOwn(Object(submitted), 'id')) return;
  expect(await service.call('POST', '/v1/tasks', submitted)).toEqual(reply);
}

async function checkRefused(service: Service, reply: Reply): Promise<void> {
  expect([400, 403, 409, 413, 422]).toContain(reply.status);
  expect(reply.body).toMatchObject({ status: reply.status, field: expect.any(String), detail: expect.any(String) });
  expect(reply.body.field).not.toBe('');
  expect(service.changes).toEqual([]);
}

test('whatever is submitted: 201, or 4xx with the field named and nothing written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(body, anything), async (submitted) => {
      const service = aService();
      const reply = await service.call('POST', '/v1/tasks', submitted ?? null);
      expect(service.logged).toEqual([]);
      await (reply.status === 201 ? checkTaken(service, submitted, reply) : checkRefused(service, reply));
    }),
    { numRuns: 1500, seed: 7 },
  );
});

test('whatever a batch holds: a result for each, in order, and only what is 201 is there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 8 }), async (tasks) => {
      const service = aService();
      const reply = await service.call('POST', '/v1/tasks', { tasks });
      expect(reply.body.results).toHaveLength(tasks.length);
      const taken = new Set<string>();
      for (const { id, status } of reply.body.results) if (status === 201) taken.add(`TASK#${id}`);
      expect(reply.status === 201).toBe(taken.size > 0);
      const put = service.changes.map(({ key }) => key).filter((key) => key.startsWith('TASK#'));
      expect(new Set(put)).toEqual(taken);
      expect(service.logged).toEqual([]);
    }),
    { numRuns: 300, seed: 11 },
  );
});

test('whatever text comes: never 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const service = aService();
      const reply = await service.call('POST', '/v1/tasks', undefined, { text });
      expect([400, 422]).toContain(reply.status);
      expect(service.changes).toEqual([]);
    }),
    { numRuns: 300, seed: 13 },
  );
});
