import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { fieldName, validate } from '../functions/validation.ts';

const one = (schema: z.ZodMiniType, value: unknown) => {
  const answer = validate(schema, value);
  return answer.ok ? undefined : answer.faults.map(({ field, detail }) => `${field} ${detail}`);
};

describe('what is wrong, in words', () => {
  test.each([
    [z.string(), 5, 'body must be a string'],
    [z.string(), undefined, 'body is required'],
    [z.object({ a: z.number() }), {}, 'a is required'],
    [z.object({ a: z.number() }), { a: '1' }, 'a must be a number'],
    [z.object({ a: z.number() }), [], 'body must be an object'],
    [z.int(), 1.5, 'body must be a whole number'],
    [z.boolean(), 'true', 'body must be true or false'],
    [z.array(z.string()), ['a', 1], '[1] must be a string'],
    [z.record(z.string(), z.number()), 5, 'body must be an object'],
    [z.record(z.string().check(z.maxLength(1)), z.number()), { ab: 1 }, 'ab has a name that is not allowed'],
    [z.strictObject({}), { a: 1 }, 'a is not a known field'],
    [z.object({ b: z.strictObject({}) }), { b: { a: 1 } }, 'b.a is not a known field'],
    [z.enum(['a', 'b']), 'c', 'body must be one of "a", "b"'],
    [z.literal('a'), 'c', 'body must be "a"'],
    [z.string().check(z.minLength(2)), 'a', 'body must have at least 2 characters'],
    [z.string().check(z.maxLength(2)), 'abc', 'body must have at most 2 characters'],
    [z.array(z.int()).check(z.maxLength(1)), [1, 2], 'body must have at most 1 entries'],
    [z.number().check(z.gte(1)), 0, 'body must be at least 1'],
    [z.number().check(z.gt(1)), 1, 'body must be more than 1'],
    [z.number().check(z.lt(1)), 1, 'body must be less than 1'],
    [z.number().check(z.multipleOf(2)), 1, 'body must be a multiple of 2'],
    [z.string().check(z.regex(/^a$/)), 'b', 'body must match /^a$/'],
    [z.string().check(z.refine(() => false)), 'b', 'body is not valid'],
    [z.string('says who'), 1, 'body says who'],
    [z.date(), 1, 'body must be of type date'],
  ])('%#: %j', (schema, value, text) => {
    expect(one(schema, value)).toEqual([text]);
  });

  test('of a union the branch that was meant is named; if none was, the types', () => {
    const union = z.union([z.number(), z.strictObject({ a: z.string(), b: z.optional(z.number()) })]);
    expect(one(z.object({ u: union }), { u: true })).toEqual(['u must be a number or an object']);
    expect(one(z.object({ u: union }), { u: { a: 1, b: 'x' } })).toEqual([
      'u.a must be a string',
      'u.b must be a number',
    ]);
    const told = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]);
    expect(one(told, { type: 'c' })).toEqual(['type must be one of "a", "b"']);
    expect(one(told, {})).toEqual(['type must be one of "a", "b"']);
  });

  test('a path as a person writes it, and not without end', () => {
    expect(fieldName([])).toBe('body');
    expect(fieldName(['tasks', 3, 'sensor', 'key'])).toBe('tasks[3].sensor.key');
    expect(fieldName(['x'.repeat(1000)])).toHaveLength(200);
  });
});
