import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { estimate, PRICES } from '../../functions/core/cost.ts';
import type { Wait } from '../../functions/core/cost.ts';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

function dollars(hours: number, duplicates: number): readonly string[] {
  const exec = { poke_interval: 60, exponential_backoff: false, timeout: 604_800 };
  const wait: Wait = { exec, duplicates, seconds: hours * 3600, callsAPoke: 1, atOnce: false };
  return estimate(wait).map((mode) => ((mode.dollars * 1000) / duplicates).toFixed(2));
}

describe('docs/costs.md', () => {
  test.each([
    ['1 hour', 1, 1],
    ['1 hour', 1, 10],
    ['12 hours', 12, 1],
    ['12 hours', 12, 10],
  ])('a thousand waits of %s, %#, are what the model says', (words, hours, duplicates) => {
    expect(page('costs')).toContain(`| ${words} | ${duplicates} | ${dollars(hours, duplicates).join(' | ')} |`);
  });

  test('has the prices of the model', () => {
    const { writes, reads, transitions, invocations, requests, events, gbSecond } = PRICES;
    for (const price of [
      `| ${writes} and ${reads} |`,
      `| ${transitions / 1000} |`,
      `| ${invocations.toFixed(2)}; ${gbSecond.toFixed(10)} |`,
      `| ${requests.toFixed(2)} |`,
      `| ${events.toFixed(2)} |`,
    ]) {
      expect(page('costs')).toContain(price);
    }
  });
});

test('docs/modes.md has the model’s dollars of an hour', () => {
  const [smart, deferrable, reschedule, poke] = dollars(1, 1);
  for (const [mode, price] of Object.entries({ smart, deferrable, reschedule, poke })) {
    expect(page('modes')).toMatch(new RegExp(`^\\| \`${mode}\` .* ${price} dollars \\|$`, 'mu'));
  }
});
