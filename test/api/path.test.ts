import { describe, expect, test } from '@jest/globals';
import { TASK_ID, TRY_ID } from '../../functions/api/schemas/fields.ts';
import { aService, SENSOR } from './service.ts';

/** Every character that an id may have; each may stand raw in a path. */
const ID = 'aZ09_.:=+@-';

const percent = (text: string): string =>
  text.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

describe('ids in paths come as they were sent', () => {
  test.each([
    ['raw', ID],
    ['encoded where a path need not be', encodeURIComponent(ID)],
    ['encoded in every character', percent(ID)],
    ['in small letters', percent(ID).toLowerCase()],
  ])('%s', async (_, sent) => {
    const service = aService();
    await service.submit({ id: ID });
    await service.submit({ id: `${ID}x`, sensor: { type: 'external', watches: SENSOR } });
    expect(await service.call('GET', `/v1/tasks/${sent}`)).toMatchObject({ status: 200, body: { id: ID } });
    expect(await service.call('GET', `/v1/tasks/${sent}/explain`)).toMatchObject({ status: 200, body: { id: ID } });
    const run = { hostname: 'h', unixname: 'u', pid: 1 };
    for (const tried of [`${sent}x~1`, `${sent}x%7E1`]) {
      const reply = await service.call('PATCH', `/execution/task-instances/${tried}/run`, run);
      expect(reply).toMatchObject({ status: 200, body: { try_id: `${ID}x~1` } });
    }
  });

  test('no id has a %: one that comes decoded is decoded again without harm', () => {
    for (const pattern of [TASK_ID, TRY_ID]) expect('a%3Ab').not.toMatch(pattern);
  });

  test.each([
    ['.', false],
    ['..', false],
    ['...', true],
    ['..a', true],
    ['.~1', false],
    ['..~1', false],
    ['..a~1', true],
  ])('N027: %s names something: %s', (text, names) => {
    expect(TRY_ID.test(text)).toBe(names);
    expect(TASK_ID.test(text)).toBe(names && !text.includes('~'));
  });
});
