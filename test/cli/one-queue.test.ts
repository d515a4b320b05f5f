/** `--queue` has a command ask below that queue, for who may reach it alone. */
import { expect, test } from '@jest/globals';
import { aCli } from './harness.ts';

const TASK = '--bucket landing --key in/a.csv';
const LINES = '{"id":"f1","sensor":{"type":"external"}}\n{"id":"f2","queue":"team-b","sensor":{"type":"external"}}\n';

test.each([
  [`submit s3-key ${TASK} --id new --queue team-a`],
  [`submit --queue team-a s3-key ${TASK} --id new`],
  ['get mine --queue team-a'],
  ['explain mine --queue team-a'],
  ['list --queue team-a'],
  ['list --queue team-a --all --state sensing'],
  ['mark mine --as success --queue team-a'],
  ['clear mine --queue team-a'],
  ['cancel mine other --queue team-a'],
  ['cancel --queue team-a --yes'],
  ['watch mine --queue team-a --limit 0'],
  ['watch --queue team-a --limit 0'],
])('%s', async (args) => {
  const { run, requests, service } = aCli();
  for (const id of ['mine', 'other']) await service.submit({ id, queue: 'team-a' });
  expect((await run(args)).stderr).not.toContain('error');
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) expect(request).toMatch(/^[A-Z]+ \/v1\/queues\/team-a\/tasks(\/|\?|$)/);
});

test('a task of another queue is unknown below this one', async () => {
  const { run, service } = aCli();
  await service.submit({ id: 'theirs', queue: 'team-b' });
  for (const command of ['get', 'explain', 'clear', 'cancel', 'mark --as failed']) {
    expect(await run(`${command} theirs --queue team-a`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no task with this id'),
    });
  }
  expect((await service.task('theirs')).state).toBe('sensing');
});

test('a file goes into the queue; a line that names another is refused by itself', async () => {
  const { run, requests, service } = aCli();
  const ran = await run('submit --file - --queue team-a', { stdin: LINES });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('standard input:2: queue must be team-a') });
  expect((await service.task('f1')).queue).toBe('team-a');
  expect(await service.store.task('f2')).toBeUndefined();
  expect(requests).toEqual(['POST /v1/queues/team-a/tasks']);
});

test('an estimate is of no queue', async () => {
  const { run, requests } = aCli();
  expect(await run(`estimate s3-key ${TASK} --queue team-a`)).toMatchObject({ code: 0 });
  expect(requests).toEqual(['POST /v1/estimate']);
});
