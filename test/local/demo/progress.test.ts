import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { planDemo, planTasks } from '../../../local/demo/plan.ts';
import { block, createProgress, type Standing, totalsOf } from '../../../local/demo/progress.ts';
import { CLUSTER } from './fixtures.ts';

const totals = totalsOf(planTasks(planDemo('x'), CLUSTER), 20);

const standing = (elapsedMs: number, ended = 450): Standing => ({
  elapsedMs,
  ended: new Map([['s3', ended]]),
  landed: 9,
  doing: new Map([
    ['retry', 'up_for_retry, try 1'],
    ['external', 'queued, try 2'],
  ]),
  alerts: 1_050,
});

function screen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe('on a terminal', () => {
  test('the block fits into 80 columns and says what each group does', () => {
    const lines = block(totals, standing(72_000));
    expect(lines).toEqual([
      '  72 s: 9 of 20 keys landed, 1,050 events received',
      '  S3 keys that land                  #########........... 450 of 1,000',
      '  EMR steps behind a throttle        .................... 0 of 200',
      '  an EMR step that fails, one retry                       up_for_retry, try 1',
      '  a key that never lands',
      '  outside work that fails once                            queued, try 2',
    ]);
    for (const line of lines) expect(line.length).toBeLessThan(80);
  });

  test('it is written over itself, and never wraps', () => {
    const out = screen(true, 30);
    const progress = createProgress(out, totals);
    progress.show(standing(1_000));
    progress.show(standing(2_000));
    expect(out.written[0]?.startsWith('  1.0 s: 9 of 20')).toBe(true);
    expect(out.written[1]?.startsWith('\u001B[6A\u001B[0J  2.0 s: 9 of 20')).toBe(true);
    const lines = stripVTControlCharacters(out.written.join('')).split('\n');
    for (const line of lines) expect(line.length).toBeLessThan(30);
  });
});

describe('elsewhere', () => {
  test('a line comes every five seconds at most, and only if something changed', () => {
    const out = screen(false);
    const progress = createProgress(out, totals);
    for (let ms = 0; ms <= 20_000; ms += 1_000) progress.show(standing(ms, ms < 12_000 ? 0 : 50));
    expect(out.written).toHaveLength(2);
    expect(out.written[1]).toBe(
      '  12 s: 9/20 keys landed; s3: 50/1000 ended; emr: 0/200 ended; retry: up_for_retry, try 1; timeout: ?; ' +
        'external: queued, try 2\n',
    );
    expect(out.written.join('')).not.toContain('\u001B');
  });
});
