import { describe, expect, test } from '@jest/globals';
import { createExpiry } from '../../functions/shard-worker/expiry.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';

const LIMIT_MS = 10_000;

/** Calls that are begun at given instants and answered at others (undefined: never), on virtual time. */
async function play(calls: readonly { readonly from: number; readonly answers?: number; readonly fails?: boolean }[]) {
  const time = createVirtualTime(0);
  const { bounded } = createExpiry(time.clock, LIMIT_MS);
  const heard: string[] = [];
  calls.forEach(({ from, answers, fails = false }, index) => {
    const send = (): Promise<string> => {
      return new Promise((resolve, reject) => {
        if (answers === undefined) return;
        time.at(answers, 'effect', () => (fails ? reject(new Error('refused')) : resolve('answer')));
      });
    };
    time.at(from, 'step', () => {
      void bounded(`op${index}`, send).then(
        (answer) => heard.push(`${index} ${answer} at ${time.now()}`),
        (error: unknown) => heard.push(`${index} ${String(error)} at ${time.now()}`),
      );
    });
  });
  await time.runUntil(100_000);
  return heard;
}

/** A clock that stands, and the signals of its sleeps. */
function watched() {
  const sleeps: (AbortSignal | undefined)[] = [];
  const { clock } = createVirtualTime(0);
  const sleep = (ms: number, signal?: AbortSignal) => (sleeps.push(signal), clock.sleep(ms, signal));
  return { clock: { now: () => 0, sleep }, sleeps };
}

describe('calls of a run', () => {
  test('each has its own limit, whenever it was begun and whatever the others do', async () => {
    const heard = await play([
      { from: 0, answers: 9000 },
      { from: 1000 },
      { from: 4000, answers: 5000, fails: true },
      { from: 6000, answers: 40_000 },
      { from: 30_000 },
    ]);
    expect(heard).toEqual([
      '2 Error: refused at 5000',
      '0 answer at 9000',
      '1 PokeTimeout: op1 took longer than 10 s at 11000',
      '3 PokeTimeout: op3 took longer than 10 s at 16000',
      '4 PokeTimeout: op4 took longer than 10 s at 40000',
    ]);
  });

  test('one that has no answer when the run ends counts as not made', async () => {
    const time = createVirtualTime(0);
    const { bounded } = createExpiry(time.clock, LIMIT_MS, 5000);
    const heard: string[] = [];
    bounded('op', () => new Promise<never>(() => undefined)).catch((error: unknown) => {
      heard.push(`${String(error)} at ${time.now()}`);
    });
    await time.runUntil(60_000);
    expect(heard).toEqual(['BudgetSpent: op had no answer when the run ended at 5000']);
  });

  test('when none is left nothing is waited for', async () => {
    const { clock, sleeps } = watched();
    const { bounded } = createExpiry(clock, LIMIT_MS);
    const both = [bounded('a', () => Promise.resolve(1)), bounded('b', () => Promise.resolve(2))];
    expect(await Promise.all(both)).toEqual([1, 2]);
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('a run that makes calls all the time has one watch, until it is closed', async () => {
    const { clock, sleeps } = watched();
    const { bounded, close } = createExpiry(clock, LIMIT_MS, 5000);
    for (let call = 0; call < 3; call += 1) await bounded('a', () => Promise.resolve(call));
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([false]);
    close();
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('a call that throws at once is over', async () => {
    const { bounded } = createExpiry(createVirtualTime(0).clock, LIMIT_MS);
    const defect = (): Promise<never> => {
      throw new TypeError('no such command');
    };
    await expect(bounded('a', defect)).rejects.toThrow('no such command');
  });
});
