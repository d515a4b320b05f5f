import { describe, expect, test } from '@jest/globals';
import { billedMs, billOf, cronDollars, sumOf } from '../../bench/bill.ts';
import { keys } from '../../bench/loads.ts';
import { atMost, goal } from '../../bench/row.ts';
import { bench } from '../../bench/cli.ts';
import { count } from '../../bench/steady.ts';
import { createAccount } from '../../simulator/account.ts';

/** Of an instant that the test moves. */
function anAccount() {
  let now = 1000;
  const account = createAccount(() => now);
  return { account, pass: (ms: number) => void (now += ms) };
}

const NOTHING = { dynamodb: 0, s3: 0, emr: 0, other: 0 };

describe('the account of an invocation', () => {
  test('calls side by side are one stretch, of the slowest of their services', () => {
    const { account, pass } = anAccount();
    const [table, s3, more] = [account.begin('dynamodb'), account.begin('s3'), account.begin('s3')];
    pass(50);
    for (const over of [table, s3, more]) over();
    pass(100);
    expect(account.spent()).toEqual({ waitedMs: 0, calledMs: { ...NOTHING, s3: 50 }, otherMs: 100, pokes: 0 });
  });

  test('a wait counts as it passed, whatever is called and poked meanwhile', () => {
    const { account, pass } = anAccount();
    const awake = account.begin('wait');
    const called = account.begin('s3');
    pass(50);
    called();
    account.poked(1);
    pass(950);
    awake();
    account.poked(2);
    expect(account.spent()).toEqual({ waitedMs: 1000, calledMs: NOTHING, otherMs: 0, pokes: 2 });
  });
});

describe('billed time', () => {
  test('waits are billed as they passed, calls as the model has them, and a hundredth of the import', () => {
    const spent = { waitedMs: 54_000, calledMs: { dynamodb: 150, s3: 50, emr: 50, other: 50 }, otherMs: 7, pokes: 1 };
    expect(billedMs('shard-worker', spent)).toBeCloseTo(54_000 + 3 * 8 + 25 + 100 + 10 + 7 + 0.65, 6);
  });

  test('many pokes take the time of the processor, twice as much in half of the memory', () => {
    const spent = { waitedMs: 0, calledMs: { ...NOTHING, s3: 100 }, otherMs: 0, pokes: 1000 };
    expect(billedMs('shard-worker', spent)).toBeCloseTo(2000 + 0.65, 6);
    expect(billedMs('poke-worker', spent)).toBeCloseTo(4000 + 0.6, 6);
  });

  test('a cron Lambda with a hundred keys a minute: 200 ms of a gigabyte, and its start', () => {
    const dollars = cronDollars({ service: 's3', calls: 100, targets: 100, everySeconds: 60 });
    expect(dollars).toBeCloseTo(43_800 * (0.200_65 * 0.000_013_333_4 + 0.2e-6), 6);
  });
});

test('ten minutes of a key are billed with their reads, writes, logs and metrics, and a worker that sleeps for less than a second', async () => {
  const { counted, calls } = await count({ submits: [{ at: 0, tasks: keys(1, 60, 0).tasks }], from: 600, until: 1200 });
  expect(calls).toBe(10);
  expect(counted.invoked.filter(({ name }) => name === 'dispatcher')).toHaveLength(10);
  expect(Math.max(...counted.invoked.map(({ spent }) => spent.waitedMs))).toBeLessThan(1000);
  const bill = billOf(counted);
  for (const item of ['workers', 'other functions', 'starts', 'reads', 'writes', 'logs', 'metrics'] as const) {
    expect(bill[item]).toBeGreaterThan(0);
  }
  expect(sumOf(bill) * 6 * 730).toBeLessThan(6);
});

test('a goal that is missed is shown, and breaks no budget; a budget that is missed does', async () => {
  const lines: string[] = [];
  const run = (rows: readonly ReturnType<typeof goal>[]) =>
    bench([], [{ name: 'one', run: async () => ({ rows }) }], {
      print: (line) => lines.push(line),
      note: () => undefined,
    });
  expect(await run([goal('dollars', 33, 1, '-'), atMost('units', 7, 8, '-')])).toBe(0);
  expect(lines.join('\n')).toContain('goal, not yet');
  expect(lines.slice(-2)).toEqual([
    '1 of 1 budgets met',
    '0 of 1 goals reached; a goal that is missed breaks no budget yet',
  ]);
  expect(await run([atMost('dollars', 33, 1, '-')])).toBe(1);
});
