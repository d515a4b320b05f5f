import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../functions/core/json.ts';

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('\\ud'));

describe('canonical JSON', () => {
  test.each([
    [
      'numbers of RFC 8785',
      JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
    ],
    ['1.0 is 1 and -0 is 0', [1.0, -0], '[1,0]'],
    ['literals', [null, true, false], '[null,true,false]'],
    ['texts as ECMAScript escapes them', '\u20ac$\u000f\nA\'B"\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\"/"'],
    ['nested keys', { b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 1 }, '{"a":1,"b":{"c":[{"e":2,"f":1}],"d":1}}'],
    ['undefined fields left out', { a: undefined, b: 1 }, '{"b":1}'],
    ['no prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['empty', { a: {}, b: [] }, '{"a":{},"b":[]}'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('sorts keys by UTF-16 code units (the example of RFC 8785, 3.2.3)', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text) as object)).toHaveLength(7);
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    expect(text).toBe(`{${sorted.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });

  test.each([
    ['check_fn: function', { check_fn: () => true }],
    ['a.b[1]: function', { a: { b: [0, () => 0] } }],
    ['a: symbol', { a: Symbol('s') }],
    ['a: bigint', { a: 1n }],
    ['a: NaN', { a: NaN }],
    ['a: Infinity', { a: Infinity }],
    ['a[0]: -Infinity', { a: [-Infinity] }],
    ['a[1]: undefined', { a: [1, undefined] }],
    // oxlint-disable-next-line no-sparse-arrays
    ['[1]: undefined', [1, , 2]],
    ['the value: undefined', undefined],
    ['a: a text with a lone surrogate', { a: '\ud800' }],
    ['a.\ufffd: a text with a lone surrogate', { a: { '\udc00': 1 } }],
    ['at: an object of a class (Date)', { at: new Date(0) }],
    ['m: an object of a class (Map)', { m: new Map() }],
  ])('case 27: refuses and names: %s', (problem, value) => {
    const refuse = () => canonicalJson(value);
    expect(refuse).toThrow(TypeError);
    expect(refuse).toThrow(`${problem} cannot be written as JSON`);
  });

  test('writes 64 levels and no more; a cycle is one level too many', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(canonicalJson(nested(64))).toHaveLength(129);
    expect(() => canonicalJson(nested(65))).toThrow('a nesting deeper than 64');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => canonicalJson(cycle)).toThrow(TypeError);
  });

  test('case 28: the order of keys does not matter, and the text is the value', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, shuffled(field)]);
      return Object.fromEntries(fields.toReversed());
    };
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        // JSON itself makes 0 of -0.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
