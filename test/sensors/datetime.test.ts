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
      expect(faultsOf(at(text))).toEqual([expect.stringMatching(/^at: must be an ISO 8601 date and time/)]);
    },
  );

  test('N019: the basic format is refused with the name of the extended one', () => {
    expect(faultsOf(at('20220629T140000Z'))).toEqual([
      expect.stringContaining('in the extended format, with an offset'),
    ]);
  });

  test('N018: one instant is one condition, whatever its offset', () => {
    const texts = ['2024-10-27T02:30:00+02:00', '2024-10-27T01:30:00+01:00', '2024-10-27T00:30:00Z'];
    expect(new Set(texts.map((text) => JSON.stringify(specOf(at(text))))).size).toBe(1);
    expect(specOf(at('2024-10-27T02:30:00+01:00'))).not.toEqual(specOf(at('2024-10-27T02:30:00+02:00')));
  });

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
