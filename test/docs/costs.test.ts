import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { estimate } from '../../functions/core/cost.ts';
import type { Wait } from '../../functions/core/cost.ts';
import {
  CALL_MS,
  COLD_SHARE,
  IMPORT_MS,
  MONTH_HOURS,
  MONTHLY,
  POKE_CPU_MS,
  PRICES,
  QUEUE_REQUESTS,
} from '../../functions/core/prices.ts';

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

  test('has the prices and the times of the bill', () => {
    const { metric, alarm, dashboard, secret, logGigabyte } = MONTHLY;
    const monthly = [metric, alarm, dashboard].map((price) => price.toFixed(2)).join(', ');
    const imports = Object.values(IMPORT_MS);
    for (const stated of [
      `times ${MONTH_HOURS},`,
      `| ${QUEUE_REQUESTS.toFixed(2)} | aws.amazon.com/sqs`,
      `| ${monthly}; ${logGigabyte.toFixed(2)} |`,
      `| ${secret.toFixed(2)} | aws.amazon.com/secrets-manager`,
      `| ${[CALL_MS.dynamodb, CALL_MS.s3, CALL_MS.emr, CALL_MS.other].join(', ')} |`,
      `| the processor of a poke at 1 GB, ms | ${POKE_CPU_MS} |`,
      `| 1 in ${1 / COLD_SHARE}; ${Math.min(...imports)} to ${Math.max(...imports)} ms |`,
    ]) {
      expect(page('costs')).toContain(stated);
    }
  });
});

test('docs/modes.md has the model’s dollars of an hour', () => {
  const [smart, deferrable, reschedule, poke] = dollars(1, 1);
  for (const [mode, price] of Object.entries({ smart, deferrable, reschedule, poke })) {
    expect(page('modes')).toMatch(new RegExp(`^\\| \`${mode}\` .* ${price} dollars \\|$`, 'mu'));
  }
});
