import { describe, expect, test } from '@jest/globals';
import { ROUTED, TOLD } from '../../functions/store/stream-patterns.ts';
import type { Item } from '../../functions/store/table.ts';
import { reaches } from '../../simulator/stream-filter.ts';

const item = (fields: Readonly<Record<string, string | number | boolean>>): Item => ({ pk: 'TASK#a', ...fields });

/** A change of a task from a state, if it was there, to another, if it stays. */
function change(
  from: string | undefined,
  to: string | undefined,
  fields: Readonly<Record<string, string | boolean>> = {},
) {
  return {
    key: 'TASK#a',
    ...(from === undefined ? {} : { old: item({ state: from }) }),
    ...(to === undefined ? {} : { new: item({ state: to, ...fields }) }),
  };
}

describe('reaches the router', () => {
  test.each([
    ['a new task that waits on a target', change(undefined, 'sensing'), true],
    ['a new deferred task', change(undefined, 'deferred'), true],
    ['a retry that waits again', change('up_for_retry', 'sensing'), true],
    ['what changes of a task while it waits', change('sensing', 'sensing'), false],
    ['a clear of one that waits and wants a poke', change('sensing', 'sensing', { first_poke: true }), true],
    ['the same as a text', change('sensing', 'sensing', { first_poke: 'true' }), false],
    ['a clear of a deferred task', change('deferred', 'deferred'), true],
    ['the end of a deferred task', change('deferred', 'removed'), true],
    ['the end of a smart one', change('sensing', 'removed'), false],
    ['a task that waits for a run', change(undefined, 'queued', { mode: 'poke' }), true],
    ['work that is done outside', change(undefined, 'queued', { mode: 'smart' }), false],
    ['what is forgotten', change('sensing', undefined), false],
    ['a target', { ...change(undefined, 'sensing'), key: 'TARGET#a' }, false],
  ])('%s: %j %s', (_, one, expected) => {
    expect(reaches(ROUTED, one)).toBe(expected);
  });
});

describe('reaches the notifier', () => {
  test.each([
    ['success', true],
    ['failed', true],
    ['skipped', true],
    ['removed', true],
    ['up_for_retry', true],
    ['up_for_reschedule', false],
    ['running', false],
  ])('a task that becomes %s: %s', (state, expected) => {
    expect(reaches(TOLD, change('sensing', state))).toBe(expected);
    expect(reaches(TOLD, change(undefined, state))).toBe(expected);
  });
});
