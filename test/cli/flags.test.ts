import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import * as z from 'zod/mini';
import { loadFields } from '../../cli/fields.ts';
import { addFields, bodyOf, fieldsOf } from '../../cli/flags.ts';
import { seconds } from '../../cli/options.ts';
import type { Schema } from '../../cli/flags.ts';
import { KINDS } from '../../functions/sensors/list.ts';

/** As a sensor's schema may be, the ones to come included. */
const SCHEMA = z.toJSONSchema(
  z.strictObject({
    url: z.string().check(z.describe('What is asked.')),
    method: z._default(z.enum(['GET', 'HEAD']), 'GET'),
    status: z.exactOptional(z.union([z.int(), z.array(z.int())])),
    headers: z.exactOptional(z.record(z.string(), z.string())),
    body: z.exactOptional(z.strictObject({ a: z.number() })),
    names: z.exactOptional(z.union([z.string(), z.array(z.string())])),
    follow: z._default(z.boolean(), false),
    ratio: z.exactOptional(z.number()),
  }),
  { io: 'input' },
) as Schema;

function parse(args: string): unknown {
  const fields = fieldsOf(SCHEMA);
  const command = new Command('t').exitOverride().configureOutput({ writeErr: () => {} });
  addFields(command, fields, 'Fields:');
  command.parse(args.split(' '), { from: 'user' });
  return bodyOf(fields, command.opts());
}

describe('fields are flags', () => {
  test.each<[string, object]>([
    ['--sensor-url https://a', { url: 'https://a' }],
    ['--sensor-url u --method HEAD --follow --ratio 0.5', { url: 'u', method: 'HEAD', follow: true, ratio: 0.5 }],
    ['--sensor-url u --headers a=b=c x=', { url: 'u', headers: { a: 'b=c', x: '' } }],
    ['--sensor-url u --body {"a":1}', { url: 'u', body: { a: 1 } }],
    ['--sensor-url u --names a', { url: 'u', names: 'a' }],
    ['--sensor-url u --names a b --names c', { url: 'u', names: ['a', 'b', 'c'] }],
    ['--sensor-url u --status 200', { url: 'u', status: 200 }],
    ['--sensor-url u --status 200 --status 204', { url: 'u', status: [200, 204] }],
  ])('%s', (args, body) => {
    expect(parse(args)).toEqual(body);
  });

  test.each([
    '--url u',
    '--method GET',
    '--sensor-url u --ratio x',
    '--sensor-url u --headers x',
    '--sensor-url u --status x',
  ])('refused: %s', (args) => {
    expect(() => parse(args)).toThrow(/unknown option|not specified|It must be/);
  });

  test('a flag has the note of its field', () => {
    expect(fieldsOf(SCHEMA).find(({ name }) => name === 'url')).toMatchObject({
      note: 'What is asked.',
      required: true,
    });
    expect(fieldsOf(SCHEMA, { notes: { url: 'Where.' } })[0]).toMatchObject({ note: 'Where.' });
  });
});

test('every sensor has its command; no flag of it is one of the task, or of all commands', async () => {
  const { task, sensors } = await loadFields();
  expect(sensors.map(({ type }) => type)).toEqual(KINDS.map(({ type }) => type));
  for (const { fields } of sensors) {
    const flags = [...fields, ...task].map(({ flag }) => flag);
    expect(new Set(flags).size).toBe(flags.length);
  }
});

describe('durations', () => {
  test.each([
    ['90', 90],
    ['1.5', 1.5],
    ['90s', 90],
    ['5m', 300],
    ['6h', 21_600],
    ['2d', 172_800],
    ['PT6H', 21_600],
    ['P1DT2H', 93_600],
  ])('%s is %d seconds', (text, expected) => expect(seconds(text)).toBe(expected));

  test.each(['', 'x', '6 h', '-5', 'PT', 'P1Y', '1e3', '5mm'])('%p is refused, and told what it could be', (text) => {
    expect(() => seconds(text)).toThrow('It must be seconds, a number with s, m, h or d (5m), or ISO 8601 (PT5M).');
  });
});
