/** The roads that every task takes, small enough to be run once for each call that they make. */
import type { Task } from '../functions/core/task.ts';
import type { Outcome } from './crash-points.ts';
import { readScenario } from './format.ts';
import type { Scenario } from './format.ts';

export interface CoreScenario {
  readonly scenario: Scenario;
  /** What must be the same whatever crashes. */
  readonly outcome: Outcome;
  /** Its targets' way to their end is what others show as well. */
  readonly brief: boolean;
}

const KEY = { type: 's3_key', bucket: 'b', key: 'k' };
const STEP = { poke_interval: 60, timeout: 3600 };

/** A landing far enough from a tick that a tick more or less sees the same. */
const LANDS = { s3: { 'b/k': [{ at: 70, present: true }] } };

function core(
  name: string,
  rest: object,
  { outcome = whole, brief = false }: Partial<CoreScenario> = {},
): CoreScenario {
  const settings = { shards: 1, shard_code_upper_limit: 1 };
  return { scenario: readScenario({ name, until: 7200, settings, expect: {}, ...rest }), outcome, brief };
}

function whole({ state, try_number, max_tries, reason }: Task): unknown {
  return { state, try_number, max_tries, reason };
}

/** A client whose clear was not answered may or may not have cleared: it asks again or it does not. */
function stateAlone({ state }: Task): unknown {
  return state;
}

const worker = { hostname: 'h', unixname: 'u', pid: 1 };

/** A worker asks twice, as one does that has not heard the first answer. */
function twice(at: number, what: 'run' | 'state', body: object): readonly object[] {
  const request = { method: 'PATCH', path: `/execution/task-instances/{try:a}/${what}`, body };
  return [
    { at, request },
    { at: at + 31, request },
  ];
}

export const CORE_SCENARIOS: readonly CoreScenario[] = [
  core('a submit and its success', { world: LANDS, steps: [{ at: 0, submit: { id: 'a', sensor: KEY, ...STEP } }] }),
  core('what holds already', {
    world: { s3: { 'b/k': [{ at: 0, present: true }] } },
    steps: [{ at: 0, submit: { id: 'a', sensor: KEY, ...STEP }, copies: 3 }],
  }),
  core(
    'a fan-out of thirty',
    { world: LANDS, steps: [{ at: 0, submit: { id: 'a', sensor: KEY, ...STEP }, copies: 30 }] },
    { brief: true },
  ),
  core(
    'a failure and its retry',
    {
      world: {
        s3: {
          'b/k': [
            { at: 0, denied: true },
            { at: 150, denied: false },
            { at: 350, present: true },
          ],
        },
      },
      steps: [{ at: 0, submit: { id: 'a', sensor: KEY, ...STEP, retries: 1, retry_delay: 200 } }],
    },
    { brief: true },
  ),
  core('a timeout', { steps: [{ at: 0, submit: { id: 'a', sensor: KEY, ...STEP, timeout: 90 } }] }),
  core(
    'a clear while a fan-out is under way',
    {
      world: LANDS,
      steps: [
        { at: 0, submit: { id: 'a', sensor: KEY, ...STEP }, copies: 6 },
        { at: 120.6, request: { method: 'POST', path: '/v1/tasks/a-3/clear' } },
      ],
    },
    { outcome: stateAlone, brief: true },
  ),
  core('a mark and a removal', {
    steps: [
      { at: 0, submit: { id: 'a', sensor: KEY, ...STEP, timeout: 200 }, copies: 3 },
      { at: 61, request: { method: 'POST', path: '/v1/tasks/a-1/mark', body: { state: 'success' } } },
      { at: 95, request: { method: 'POST', path: '/v1/tasks/a-1/mark', body: { state: 'success' } } },
      { at: 62, request: { method: 'DELETE', path: '/v1/tasks/a-2' } },
      { at: 96, request: { method: 'DELETE', path: '/v1/tasks/a-2' } },
    ].toSorted((a, b) => a.at - b.at),
  }),
  core('outside work that runs, fails and is retried', {
    steps: [
      {
        at: 0,
        submit: {
          id: 'a',
          sensor: { type: 'external' },
          timeout: 3600,
          heartbeat_timeout: 3600,
          retries: 1,
          retry_delay: 60,
        },
      },
      ...twice(10, 'run', worker),
      ...twice(50, 'state', { state: 'failed' }),
      ...twice(310, 'run', worker),
      ...twice(360, 'state', { state: 'success' }),
    ],
  }),
];
