import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pythonDatetime, pythonDatetimeOfText, pythonText, sha1Mod } from '../../functions/core/python.ts';

describe('as Python writes it', () => {
  // Left and right: `str(EPOCH + timedelta(milliseconds=ms))` of Python 3.
  test.each([
    [0, '1970-01-01 00:00:00+00:00'],
    [1, '1970-01-01 00:00:00.001000+00:00'],
    [1_704_067_200_000, '2024-01-01 00:00:00+00:00'],
    [1_704_067_200_123, '2024-01-01 00:00:00.123000+00:00'],
    [-1, '1969-12-31 23:59:59.999000+00:00'],
    [-62_135_596_800_000, '0001-01-01 00:00:00+00:00'],
    [253_402_300_799_999, '9999-12-31 23:59:59.999000+00:00'],
    [-Infinity, '0001-01-01 00:00:00+00:00'],
    [1e300, '9999-12-31 23:59:59.999000+00:00'],
  ])('epoch ms %d', (epochMs, text) => {
    expect(pythonDatetime(epochMs)).toBe(text);
  });

  test.each([
    ['2024-01-01T00:00:00Z', '2024-01-01 00:00:00+00:00'],
    ['2024-01-01T00:00Z', '2024-01-01 00:00:00+00:00'],
    ['2024-01-01T02:00:00.123456+02:00', '2024-01-01 00:00:00.123456+00:00'],
    ['2023-12-31T19:00:00.5-05:00', '2024-01-01 00:00:00.500000+00:00'],
    ['2024-01-01 00:00:00.000001+00:00', '2024-01-01 00:00:00.000001+00:00'],
    ['2024-01-01T00:00:00.1234567Z', '2024-01-01 00:00:00.123456+00:00'],
    ['2024-02-29T00:00:00.000Z', '2024-02-29 00:00:00+00:00'],
  ])('%s keeps its microseconds', (text, written) => {
    expect(pythonDatetimeOfText(text)).toBe(written);
  });

  test.each([
    '',
    '2024-01-01',
    '2024-01-01T00:00:00',
    '2024-02-30T00:00:00Z',
    '2024-13-01T00:00:00Z',
    'x',
    '1704067200',
  ])('%p is no instant', (text) => {
    expect(pythonDatetimeOfText(text)).toBeUndefined();
  });

  test('both ways of writing an instant agree', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        const text = pythonDatetime(date.getTime());
        expect(pythonDatetimeOfText(date.toISOString())).toBe(text);
        expect(pythonDatetimeOfText(text)).toBe(text);
      }),
    );
  });

  test('a missing text is None', () => {
    expect(pythonText(undefined)).toBe('None');
    expect(pythonText('')).toBe('');
  });

  test('int(sha1(text)) % modulus is exact', () => {
    expect(sha1Mod('d#t#x#1', 7)).toBe(3);
    expect(sha1Mod('d#t#x#1', Number.MAX_SAFE_INTEGER)).toBe(7_504_055_721_694_113);
    expect(sha1Mod('anything', 1)).toBe(0);
  });
});
