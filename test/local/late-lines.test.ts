import { expect, test } from '@jest/globals';
import { createLateLines } from '../../local/late-lines.ts';

test('lines are kept back in their order until they are released, and come at once from then on', () => {
  const printed: string[] = [];
  const { line, release } = createLateLines((text) => void printed.push(text));
  line('a');
  line('b');
  expect(printed).toEqual([]);
  release();
  line('c');
  release();
  expect(printed).toEqual(['a', 'b', 'c']);
});
