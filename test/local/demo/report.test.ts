import { expect, test } from '@jest/globals';
import { describe as describeOutcome, type Outcome, whereNext } from '../../../local/demo/report.ts';

const outcome: Outcome = {
  groups: new Map([
    [
      's3',
      {
        tasks: 1_000,
        states: new Map([['success', 1_000]]),
        tries: 1,
        medianMs: 9_200,
        slowestMs: 49_000,
        callsAlone: 8_450,
      },
    ],
    ['emr', { tasks: 200, states: new Map([['success', 200]]), tries: 1, callsAlone: 1_300 }],
    ['external', { tasks: 1, states: new Map([['success', 1]]), tries: 2, callsAlone: 0 }],
  ]),
  calls: { all: 120, emr: { ListSteps: 12, DescribeStep: 1 }, throttled: 2 },
  alerts: { facts: 1_205, expected: 1_205, deliveries: 1_207 },
  wrong: [],
  untold: [],
  firstTickMs: 58_000,
  demoMs: 130_000,
};

test('the result says how the tasks ended, what was called and what was saved', () => {
  expect(describeOutcome(outcome, 220_000)).toEqual([
    'tasks that wait for           tasks       ended as  tries  detected: median  slowest',
    '----------------------------  -----  -------------  -----  ----------------  -------',
    'S3 keys that land             1,000  1,000 success      1             9.2 s     49 s',
    'EMR steps behind a throttle     200    200 success      1                 -        -',
    'outside work that fails once      1      1 success      2                 -        -',
    '',
    'calls                                            made  one per task and poke   saved',
    '-----------------------------------------------  ----  ---------------------  ------',
    'S3                                                107                  8,450  98.7 %',
    'EMR (12 ListSteps, 1 DescribeStep, 2 throttled)    13                  1,300  99.0 %',
    '',
    'events   1,205 of 1,205 facts told on the bus, 2 told more than once',
    'time     2 min 10 s from the first submit to the last end; the schedule first ticked after 58 s',
    'in all   3 min 40 s, with the start of the emulator and the deployment',
    'verdict  every task ended as it should',
  ]);
});

test('the verdict counts what is wrong, and says when nothing ever ticked', () => {
  const bad = { ...outcome, wrong: ['a', 'b'], untold: ['c'], firstTickMs: Number.POSITIVE_INFINITY };
  const text = describeOutcome(bad, 220_000).join('\n');
  expect(text).toContain('verdict  2 tasks did not end as they should, 1 events are missing or too many');
  expect(text).toContain('the schedule never ticked');
});

test('where to look next are commands that can be copied', () => {
  const service = {
    apiUrl: 'http://127.0.0.1:4566/api/',
    endpoint: 'http://127.0.0.1:4566',
    emrEndpoint: 'http://e',
    stateMachineArn: 'arn:wait',
  };
  const identity = { region: 'us-east-1', credentials: { accessKeyId: 'me', secretAccessKey: 'secret' } };
  const lines = whereNext(service, identity, { run: 'demo-x', bucket: 'sensorium-demo-x' }, false);
  expect(lines).toContain('    export SENSORIUM_URL=http://127.0.0.1:4566/api/');
  expect(lines).toContain('    npx sensorium explain demo-x-step-that-fails');
});
