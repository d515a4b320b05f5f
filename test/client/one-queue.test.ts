/** A client that is made for one queue asks below it, whatever it asks for. */
import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { aBench } from './setup.ts';

const SENSED = { type: 's3_key', bucket: 'landing', key: 'in/a.csv' } as const;
const WORKER = { hostname: 'h', unixname: 'u', pid: 1 };

describe('a client of one queue', () => {
  test('asks below that queue, and nowhere else', async () => {
    const { client, sent, service } = aBench({ queue: 'team-a' });
    await client.submit({ id: 'a:1', sensor: SENSED });
    await client.submitMany([{ id: 'b', sensor: { type: 'external' } }]);
    await client.get('a:1');
    await client.explain('a:1');
    const { tasks } = await client.list();
    for await (const _ of client.listAll({ queue: 'team-a', limit: 1 }));
    await client.mark('a:1', 'failed');
    await client.clear('a:1');
    await client.remove('a:1');
    await client.wait('a:1');
    const { try_id } = await client.run('b', WORKER);
    await client.heartbeat(try_id, WORKER_ALIVE);
    await client.state(try_id, { state: 'success' });
    expect(tasks.map(({ id }) => id).toSorted()).toEqual(['a:1', 'b']);
    expect(await service.task('b')).toMatchObject({ queue: 'team-a', state: 'success' });
    const paths = sent.map(({ path }) => path.replace(/\?.*/, ''));
    expect(paths.every((path) => /^\/(v1|execution)\/queues\/team-a\/task/.test(path))).toBe(true);
    expect(new Set(paths).size).toBe(8);
  });

  test('knows no task of another queue, and is refused another one', async () => {
    const { client, service } = aBench({ queue: 'team-a' });
    await service.submit({ id: 'theirs', queue: 'team-b' });
    for (const call of [client.get('theirs'), client.clear('theirs'), client.remove('theirs'), client.wait('theirs')]) {
      await expect(call).rejects.toMatchObject({ status: 404, detail: 'there is no task with this id' });
    }
    await expect(client.list({ queue: 'team-b' })).rejects.toMatchObject({ status: 422, field: 'queue' });
    await expect(client.submit({ sensor: SENSED, queue: 'team-b' })).rejects.toMatchObject({ status: 422 });
    const results = await client.submitMany([{ sensor: SENSED }, { sensor: SENSED, queue: 'team-b' }]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test.each(['', '.', '..'])('is not made for %j', (queue) => {
    expect(() => createClient({ url: 'https://api.test/live', queue })).toThrow('is no id and no name');
  });
});

const WORKER_ALIVE = { hostname: 'h', pid: 1 };
