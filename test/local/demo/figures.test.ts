import { expect, test } from '@jest/globals';
import { figuresOf } from '../../../local/demo/figures.ts';
import type { SeenTask } from '../../../local/demo/judge.ts';
import type { PlannedTask } from '../../../local/demo/plan.ts';

const planned = (id: string, group: PlannedTask['group'], waitsFor?: string): PlannedTask => ({
  id,
  group,
  body: { sensor: { type: 'external' } },
  expected: { path: ['sensing', 'success'] },
  ...(waitsFor !== undefined && { waitsFor }),
});

const seen = (id: string, history: SeenTask['history'], tries = 1): SeenTask => ({
  id,
  state: history.at(-1)?.to ?? '',
  try_number: tries,
  deadline: 60_000,
  history,
});

const waited = (from: number, to: number, end = 'success') => [
  { at: from, to: 'sensing' },
  { at: to, to: end },
];

test('detection counts from when it happened, or from the deadline; the median is the upper one', () => {
  const tasks = [planned('a', 's3', 'k1'), planned('b', 's3', 'k2'), planned('c', 's3', 'k2'), planned('t', 'timeout')];
  const all = [
    seen('a', waited(0, 40_000)),
    seen('b', waited(0, 52_000)),
    seen('c', waited(0, 53_000, 'failed')),
    seen('t', waited(0, 61_500, 'failed')),
  ];
  const happenedAt = new Map([
    ['k1', 39_000],
    ['k2', 50_000],
  ]);
  const figures = figuresOf(tasks, new Map(all.map((one) => [one.id, one])), {
    happenedAt,
    pokeInterval: 10,
    firstTickAt: 0,
  });
  expect(figures.get('s3')).toMatchObject({ tasks: 3, medianMs: 2_000, slowestMs: 3_000, tries: 1 });
  expect(figures.get('s3')?.states).toEqual(
    new Map([
      ['success', 2],
      ['failed', 1],
    ]),
  );
  expect(figures.get('timeout')).toMatchObject({ medianMs: 1_500, slowestMs: 1_500 });
});

test.each([
  ['one poke a start and one an interval', waited(0, 35_000), 0, 4],
  ['none that the service could not have made either: before the first tick', waited(0, 35_000), 20_000, 2],
  ['the first poke alone where no tick came in time', waited(0, 35_000), Number.POSITIVE_INFINITY, 1],
  [
    'each try, and no time between them',
    [...waited(0, 25_000, 'up_for_retry'), ...waited(100_000, 101_000, 'failed')],
    0,
    4,
  ],
  ['nothing for work that nobody pokes', [{ at: 0, to: 'queued' }, ...waited(0, 9, 'success').slice(1)], 0, 0],
])('calls of a task alone: %s', (_, history, firstTickAt, calls) => {
  const circumstances = { happenedAt: new Map(), pokeInterval: 10, firstTickAt };
  const figures = figuresOf([planned('a', 'emr', 's')], new Map([['a', seen('a', history)]]), circumstances);
  expect(figures.get('emr')?.callsAlone).toBe(calls);
});

test('a task that is not there counts among the tasks and nowhere else', () => {
  const circumstances = { happenedAt: new Map(), pokeInterval: 10, firstTickAt: 0 };
  const figures = figuresOf([planned('a', 'external')], new Map(), circumstances);
  expect(figures.get('external')).toEqual({ tasks: 1, states: new Map(), tries: 0, callsAlone: 0 });
});
