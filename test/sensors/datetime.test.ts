import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { fakeIo, faultsOf, poke, specOf } from './fakes.ts';

const at = (text: unknown): object => ({ type: 'datetime', at: text });

describe('datetime', () => {
  test.each([
    ['2024-01-01T06:00:00Z', '2024-01-01T06:00:00.000Z'],
    ['2024-01-01T06:00:00.000Z', '2024-01-01T06:00:00.000Z'],
    ['2024-01-01T08:00:00+02:00', '2024-01-01T06:00:00.000Z'],
    ['2023-12-31T22:30:00-07:30', '2024-01-01T06:00:00.000Z'],
    ['2024-01-01T06:00:00.123456+00:00', '2024-01-01T06:00:00.123Z'],
    ['2024-01-01 06:00:00+00:00', '2024-01-01T06:00:00.000Z'],
    ['2024-02-29T06:00Z', '2024-02-29T06:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(specOf(at(text))).toEqual(at(expected));
  });

  test.each(['2024-01-01T06:00:00', '2024-01-01', '2024-02-30T06:00:00Z', '2024-01-01T25:00:00Z', 'tomorrow', ''])(
    '%j is refused',
    (text) => {
      expect(faultsOf(at(text))).toEqual([
        expect.stringMatching(/^at: must be an ISO 8601 date and time with an offset/),
      ]);
    },
  );

  test('a number is refused', () => {
    expect(faultsOf(at(1_704_088_800))).toEqual(['at: must be a string']);
  });

  test('met from the instant on, pointless before it', async () => {
    const instant = Date.parse('2024-01-01T06:00:00.000Z');
    const input = at('2024-01-01T06:00:00Z');
    expect(sensorCatalog.notBeforeOf(specOf(input))).toBe(instant);
    expect(await poke({}, input, { io: fakeIo(instant - 1) })).toEqual({ kind: 'not_met' });
    expect(await poke({}, input, { io: fakeIo(instant) })).toEqual({ kind: 'met' });
    expect(await poke({}, input, { io: fakeIo(instant + 1) })).toEqual({ kind: 'met' });
  });

  test('any instant of any offset keeps its millisecond, and is normal once and for all', () => {
    const dates = fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, fc.integer({ min: -14, max: 14 }), (date, hours) => {
        const local = new Date(date.getTime() + hours * 3_600_000).toISOString().slice(0, -1);
        const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
        const spec = specOf(at(`${local}${offset}`));
        expect(spec).toEqual(at(date.toISOString()));
        expect(specOf(spec)).toEqual(spec);
      }),
    );
  });
});
