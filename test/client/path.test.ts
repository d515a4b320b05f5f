import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { path, pathSegment } from '../../client/path.ts';
import { aBench } from './setup.ts';

describe('a segment of a path', () => {
  test.each([
    ["-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@"],
    ['a/b?c#d%e f', 'a%2Fb%3Fc%23d%25e%20f'],
    ['%3A', '%253A'],
    ['"<>[]\\^`{|}', '%22%3C%3E%5B%5D%5C%5E%60%7B%7C%7D'],
    ['Zähler…', 'Z%C3%A4hler%E2%80%A6'],
    ['...', '...'],
  ])('%s is sent as %s', (text, sent) => {
    expect(pathSegment(text)).toBe(sent);
    expect(new URL(path('v1', text, 'x'), 'https://api.test/').pathname).toBe(`/v1/${sent}/x`);
  });

  test('is what it was once it is decoded', () => {
    const carried = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(fc.property(carried, (text) => expect(decodeURIComponent(pathSegment(text))).toBe(text)));
  });

  test.each(['', '.', '..', 'a\ud800'])('N027: %j is refused, and nothing is sent', async (name) => {
    const { client, sent } = aBench();
    const calls = [
      client.get(name),
      client.explain(name),
      client.clear(name),
      client.mark(name, 'failed'),
      client.remove(name),
      client.wait(name),
      client.queue(name),
      client.setQueue(name, {}),
      client.run(name, { hostname: 'h', unixname: 'u', pid: 1 }),
      client.state(name, { state: 'success' }),
      client.heartbeat(name, { hostname: 'h', pid: 1 }),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(`${JSON.stringify(name)} is no id and no name`);
    expect(sent).toEqual([]);
  });
});
