import { expect, test } from '@jest/globals';
import { aCli } from './harness.ts';
import type { RunOptions } from './harness.ts';

test('one task', async () => {
  const { run, service } = aCli();
  await service.submit({ id: 't1' });
  expect(await run('mark t1 --as failed')).toMatchObject({
    code: 0,
    stdout: 't1  marked as failed: it is failed now\n',
  });
  expect(await run('clear t1')).toMatchObject({ code: 0, stdout: 't1  cleared: it is sensing now\n' });
  expect(await service.task('t1')).toMatchObject({ try_number: 2 });
  expect(await run('cancel t1 --json')).toMatchObject({ code: 0 });
  expect(await service.task('t1')).toMatchObject({ state: 'removed' });
});

test.each([
  ['y', 0, 'removed'],
  ['yes', 0, 'removed'],
  ['', 1, 'sensing'],
  ['no', 1, 'sensing'],
] as const)('many: a question first; %p', async (answer, code, state) => {
  const { run, service } = aCli();
  for (const id of ['a', 'b']) await service.submit({ id, queue: 'q' });
  const ran = await run('cancel --queue q', { tty: true, answer });
  expect(ran.code).toBe(code);
  expect(ran.stderr).toContain('cancel 2 tasks? [y/N]');
  expect((await service.task('a')).state).toBe(state);
  expect((await service.task('b')).state).toBe(state);
});

test('without a terminal and without --yes nothing is even asked of the service', async () => {
  const { run, requests } = aCli();
  expect(await run('cancel --queue q')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(requests).toEqual([]);
});

test('cancel takes what has not ended, clear what failed, --state what it says', async () => {
  const { run, service } = aCli();
  for (const id of ['a', 'b', 'c']) await service.submit({ id, queue: 'q' });
  await run('mark a --as failed');
  await run('mark b --as success');
  expect(await run('cancel --queue q --yes')).toMatchObject({ code: 0, stdout: 'cancelled: 1 of 1 task\n' });
  expect(await run('clear --queue q --yes')).toMatchObject({ code: 0, stdout: 'cleared: 1 of 1 task\n' });
  expect((await service.task('a')).state).toBe('sensing');
  expect(await run('mark --queue q --state success --as skipped --yes')).toMatchObject({ code: 0 });
  expect((await service.task('b')).state).toBe('skipped');
  expect(await run('cancel --queue nobody --yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no task'),
  });
});

test('of several ids the one that is not there is named', async () => {
  const { run, service } = aCli();
  await service.submit({ id: 'a' });
  const ran = await run('cancel a nobody');
  expect(ran).toMatchObject({ code: 1, stdout: 'cancelled: 1 of 2 tasks\n' });
  expect(ran.stderr).toMatch(/^nobody: There is no task with this id/m);
});

/** Twenty tasks to cancel; what happens to the DELETE that comes first. */
async function cancelTwenty(first: NonNullable<RunOptions['fetch']>) {
  const { run, service, serve } = aCli();
  const ids = Array.from({ length: 20 }, (_, n) => `t${n}`);
  for (const id of ids) await service.submit({ id, queue: 'q' });
  let sent = 0;
  const ran = await run('cancel --queue q --yes', {
    fetch: async (url, init) => {
      if (init.method !== 'DELETE') return serve(url, init);
      if ((sent += 1) === 1) return first(url, init);
      // Answers come after the first one's.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return serve(url, init);
    },
  });
  const states = await Promise.all(ids.map(async (id) => (await service.task(id)).state));
  return { ran, removed: states.filter((state) => state === 'removed').length };
}

test('N032: of twenty one is denied: what is said to be cancelled is what was', async () => {
  const denied = async () => new Response(JSON.stringify({ message: 'User is not authorized' }), { status: 403 });
  const { ran, removed } = await cancelTwenty(denied);
  expect(ran.code).not.toBe(0);
  // Those that ran beside it; no further one was begun.
  expect(removed).toBe(7);
  expect(ran.stderr).toContain(`cancelled: ${removed} of 20 tasks; the others stand as they were\n`);
});

test('N032: where no answer comes it is not said that the task stands', async () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const { ran, removed } = await cancelTwenty(async (url, init) => {
    await aCli().serve(url, init);
    return lost();
  });
  // The client asks again, and is answered.
  expect(ran).toMatchObject({ code: 0, stdout: 'cancelled: 20 of 20 tasks\n' });
  expect(removed).toBe(20);

  const { run, service, serve } = aCli();
  for (const id of ['a', 'b']) await service.submit({ id, queue: 'q' });
  const down = await run('cancel --queue q --yes', {
    fetch: (url, init) => (init.method === 'DELETE' && url.endsWith('/a') ? lost() : serve(url, init)),
  });
  expect(down.code).not.toBe(0);
  expect(down.stderr).toContain(
    'cancelled: 1 of 2 tasks; no answer came for 1 of them, which may be cancelled; the others stand as they were\n',
  );
});
