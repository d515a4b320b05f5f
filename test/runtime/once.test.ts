import { expect, test } from '@jest/globals';
import { once } from '../../functions/runtime/once.ts';

test('what is made once is made for the first who asks, and for all others too', async () => {
  let made = 0;
  const one = once(async () => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  expect(await Promise.all([one(), one()])).toEqual([1, 1]);
  expect(await one()).toBe(1);
});
