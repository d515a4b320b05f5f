import { expect, test } from '@jest/globals';
import { count, duration, saved, table } from '../../../local/demo/text.ts';

test.each([
  [0, '0 ms'],
  [849.6, '850 ms'],
  [4_120, '4.1 s'],
  [9_960, '10 s'],
  [74_400, '74 s'],
  [185_000, '3 min 05 s'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('counts and shares', () => {
  expect(count(1203)).toBe('1,203');
  expect(saved(13, 1_300)).toBe('99.0 %');
  expect(saved(3, 0)).toBe('-');
});

test('columns of numbers stand at the right, others at the left', () => {
  const lines = table([
    ['what', 'tasks', 'ended as'],
    ['keys', '1,000', '1,000 success'],
    ['a step', '1', 'failed'],
  ]);
  expect(lines).toEqual([
    'what    tasks  ended as',
    '------  -----  -------------',
    'keys    1,000  1,000 success',
    'a step      1  failed',
  ]);
});
