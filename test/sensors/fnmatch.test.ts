import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compile } from '../../functions/sensors/fnmatch.ts';

const matches = (pattern: string, text: string): boolean => compile(pattern).matches(text);

/** Python's own way: a translation to a regular expression. Simple, and it backtracks. */
function reference(pattern: string): RegExp {
  let source = '';
  const chars = Array.from(pattern);
  const escape = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`;
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    let end = at + 1;
    if (chars[end] === '!') end += 1;
    if (chars[end] === ']') end += 1;
    while (end < chars.length && chars[end] !== ']') end += 1;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '[' && end < chars.length) {
      const body = chars.slice(at + 1, end);
      const negated = body[0] === '!';
      if (negated) body.shift();
      const members: string[] = [];
      while (body.length > 0) {
        const [low, dash, high] = body;
        const isRange = dash === '-' && high !== undefined;
        body.splice(0, isRange ? 3 : 1);
        if (!isRange) members.push(escape(low!));
        else if (low! <= high) members.push(`${escape(low!)}-${escape(high)}`);
      }
      const none = negated ? '.' : '(?!)';
      source += members.length === 0 ? none : `[${negated ? '^' : ''}${members.join('')}]`;
      at = end;
    } else source += escape(char);
  }
  return new RegExp(`^(?:${source})$`, 'su');
}

describe('fnmatch', () => {
  test.each([
    ['abc', 'abc', true],
    ['abc', 'ABC', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'a/b/c', true],
    ['a/*.csv', 'a/b/c.csv', true],
    ['a/*.csv', 'a/.csv', true],
    ['?', '', false],
    ['a?c', 'a/c', true],
    ['part-[0-9][0-9]', 'part-07', true],
    ['part-[0-9]', 'part-x', false],
    ['[!a]bc', 'abc', false],
    ['[!a]bc', 'xbc', true],
    ['[^a]', 'a', true],
    ['[^a]', '^', true],
    ['[^a]', 'b', false],
    ['[]]', ']', true],
    ['[!]]', ']', false],
    ['[!]]', 'a', true],
    ['[abc', '[abc', true],
    ['[', '[', true],
    ['[]', '[]', true],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[a-c-e]', '-', true],
    ['[a-c-e]', 'd', false],
    ['[z-a]', 'm', false],
    ['[!z-a]', 'm', true],
    ['a.c', 'abc', false],
    ['\\*', '\\anything', true],
    ['?', '😀', true],
    ['[😀-😂]', '😁', true],
    ['ab*ab', 'aba', false],
    ['ab*ab', 'abab', true],
    ['*a*b', 'xbya', false],
    ['**', 'x', true],
  ])('%j on %j: %j', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('agrees with the reference on short texts', () => {
    const chars = fc.constantFrom('a', 'b', '/', '*', '?', '[', ']', '!', '-', '^', '\\', '.', '😀');
    const short = fc.array(chars, { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(short, short, (pattern, text) => {
        expect(matches(pattern, text)).toBe(reference(pattern).test(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('every match begins with the prefix and fits the glob', () => {
    const chars = fc.constantFrom('a', 'b', '*', '?', '[', ']', '!');
    const short = fc.array(chars, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(short, short, (pattern, text) => {
        const { prefix, glob } = compile(pattern);
        if (!matches(pattern, text)) return;
        expect(text.startsWith(prefix)).toBe(true);
        const wide = glob.replace(/[^*?]/g, (char) => `\\${char}`.replace(/\\([ab!])/, '$1'));
        expect(new RegExp(`^${wide.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('stars do not multiply the work: a pattern that kills a backtracking matcher is answered', () => {
    expect(matches(`${'*a'.repeat(500)}*b`, 'a'.repeat(1024))).toBe(false);
    expect(matches(`*${'[!x]'.repeat(200)}b`, 'a'.repeat(1024))).toBe(false);
    expect(matches(`*${'a'.repeat(500)}b*`, 'a'.repeat(1024))).toBe(false);
  });

  test.each([
    ['a/b*.csv', 'a/b', 'a/b*.csv'],
    ['data/[0-9][!a]?.csv', 'data/', 'data/???.csv'],
    ['plain', 'plain', 'plain'],
    ['a[b', 'a', 'a[b'],
  ])('%j has the prefix %j and the glob %j', (pattern, prefix, glob) => {
    expect(compile(pattern)).toMatchObject({ prefix, glob });
  });
});
