/** Whatever a body brings is refused with its field, or the table holds it: the memory table refuses what DynamoDB refuses. */
import { expect, test } from '@jest/globals';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { submittedTask } from '../../functions/api/schemas/task.ts';
import { queueBody } from '../../functions/api/schemas/queue.ts';
import { itemBytes } from '../../functions/store/item-size.ts';
import { taskItem } from '../../functions/store/task-item.ts';
import { aTask, T0 } from '../support/tasks.ts';
import { aService, SENSOR } from './service.ts';
import type { Reply, Service } from './service.ts';

/** Stands for a number that JSON can write and JavaScript cannot hold. */
const ENDLESS = '1e400';

const number = fc.oneof(
  fc.constantFrom(1e-320, 5e-324, -5e-324, 1e-200, -1e-200, 1e-131, 1e-130, 1e-7, 1e-6, 0, -0, 0.1 + 0.2, ENDLESS),
  fc.constantFrom(2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 64, -(2 ** 53), 1e15 + 0.3, 1e21, 1e126, 1e300, 0.001, 1.5, 60),
  fc.double(),
  fc.integer(),
);

/** Texts that are as long as they may be, in characters of one to four bytes, or a little longer. */
const text = fc
  .tuple(
    fc.constantFrom('x', 'é', '€', '𝄞'),
    fc.constantFrom(1, 50, 64, 100, 128, 250, 255, 256, 512, 1000, 1024, 2048),
  )
  .map(([character, length]) => character.repeat(length));

const value = fc.oneof(number, number, text, fc.dictionary(text, fc.oneof(number, text), { maxKeys: 3 }));

/** Some of these fields with any such value. */
const fieldsOf = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 });

const queue = fc.oneof(
  fieldsOf(Object.keys(queueBody._zod.def.shape)),
  fc
    .dictionary(fc.oneof(fc.constantFrom('s3', 'emr:ListSteps'), text), number, { maxKeys: 60 })
    .map((budgets) => ({ budgets })),
);

const sensor = fc.oneof(
  fc.constant(SENSOR),
  fc.constant({ type: 'external' }),
  fieldsOf(['bucket', 'key', 'min_size']).map((fields) => ({ ...SENSOR, ...fields })),
  fieldsOf(['job_flow_id', 'step_id']).map((fields) => ({
    type: 'emr_step',
    job_flow_id: 'j-1',
    step_id: 's-1',
    ...fields,
  })),
);
const task = fc
  .tuple(sensor, fieldsOf(Object.keys(submittedTask._zod.def.shape)))
  .map(([one, fields]) => ({ sensor: one, ...fields }));

const owner = { hostname: 'h', unixname: 'u', pid: 1 };
const reports = fc.tuple(
  fieldsOf(['hostname', 'unixname', 'pid', 'try_number']).map((fields) => ({ ...owner, ...fields })),
  fieldsOf(['pid', 'try_number']).map((fields) => ({ hostname: 'h', pid: 1, ...fields })),
  fc.oneof(
    fieldsOf(['reason', 'try_number']).map((fields) => ({ state: 'failed', ...fields })),
    fc
      .oneof(
        text,
        number,
        fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
      )
      .map((at) => ({ state: 'up_for_reschedule', reschedule_date: at })),
  ),
);

/** Sends a body as a client writes it: numbers without end as digits. */
const send = (service: Service, method: string, path: string, body: object): Promise<Reply> =>
  service.call(method, path, undefined, { text: JSON.stringify(body).replaceAll(`"${ENDLESS}"`, ENDLESS) });

/** All that was written is read back as it was, by the SDK's own marshalling. */
function checkWritten({ changes, logged }: Service): void {
  expect(logged).toEqual([]);
  const written = changes.flatMap(({ new: item }) => item ?? []);
  expect(written.map((item) => unmarshall(marshall(item)))).toEqual(written);
}

/** A refusal names a field of the body. */
function checkRefused({ status, body }: Reply, sent: object): void {
  expect(status).toBe(422);
  const [field = ''] = body.field.split(/[.[]/);
  expect(Object.keys(sent)).toContain(field);
}

test('settings of a queue', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(queue, async (body) => {
      const service = aService();
      const reply = await send(service, 'PUT', '/v1/queues/a', body);
      checkWritten(service);
      if (reply.status !== 200) return checkRefused(reply, { min_workers: 0, ...body });
      taken += 1;
      return expect(await service.call('GET', '/v1/queues/a')).toEqual(reply);
    }),
    { numRuns: 600, seed: 3 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('tasks, and what their workers report', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(task, reports, async (body, [run, heartbeat, state]) => {
      const service = aService();
      const reply = await send(service, 'POST', '/v1/tasks', body);
      checkWritten(service);
      if (reply.status !== 201) return checkRefused(reply, body);
      taken += 1;
      const { id } = reply.body;
      expect(await service.call('GET', `/v1/tasks/${id}`)).toMatchObject({ status: 200, body: reply.body });
      for (const [what, report] of Object.entries({ run, heartbeat, state })) {
        const told = await send(service, 'PATCH', `/execution/task-instances/${id}/${what}`, report);
        expect(told.status).toBeLessThan(500);
        if (told.status === 422) checkRefused(told, report);
        checkWritten(service);
      }
      return expect(await service.call('GET', `/v1/tasks/${id}`)).toMatchObject({ status: 200 });
    }),
    { numRuns: 600, seed: 5 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('the largest record that a task can come to fits into an item', () => {
  const [most, wide] = ['€'.repeat(1000), '€'.repeat(255)];
  const transition = {
    at: T0,
    from: 'running',
    to: 'up_for_retry',
    try_number: 999_999,
    why: most,
    by: `worker:${wide}`,
  } as const;
  const task = aTask(
    {},
    {
      // What is submitted has 100,000 bytes in all.
      sensor: { type: 's3_key', key: ['x'.repeat(100_000)] },
      callback_tokens: Array.from({ length: 20 }, () => '€'.repeat(2048)),
      history: Array.from({ length: 40 }, () => transition),
      owner: { hostname: wide, unixname: wide, pid: 1 },
      reason: most,
    },
  );
  expect(itemBytes(taskItem(task))).toBeLessThan(400 * 1024);
});
