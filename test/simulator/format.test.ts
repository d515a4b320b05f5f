import { describe, expect, test } from '@jest/globals';
import { parseScenario, readScenario } from '../../simulator/format.ts';

const GOOD = { name: 'x', until: 10, steps: [], expect: {} };

describe('scenario files', () => {
  test('the least that a file can say', () => {
    expect(readScenario(GOOD)).toMatchObject({
      start: '2024-01-01T00:00:00Z',
      modes: ['smart'],
      faults: [],
      queues: {},
    });
  });

  test.each([
    ['no JSON', '{', 'not JSON'],
    ['no object', '[]', 'the file must be an object'],
    ['a missing field', { until: 10, steps: [], expect: {} }, 'name is required'],
    ['an unknown field', { ...GOOD, nmae: 'y' }, 'nmae is not a known field'],
    ['a wrong type', { ...GOOD, until: '10' }, 'until must be a number'],
    ['a mode that is none', { ...GOOD, modes: ['clever'] }, 'modes[0] must be one of'],
    ['an instant that is none', { ...GOOD, start: 'yesterday' }, 'start'],
    ['an unknown field of the world', { ...GOOD, world: { s4: {} } }, 'world.s4 is not a known field'],
    [
      'an unknown field of a timeline',
      { ...GOOD, world: { s3: { 'b/k': [{ at: 0, size: 1, sise: 2 }] } } },
      'world.s3.b/k[0].sise',
    ],
    [
      'a timeline out of order',
      { ...GOOD, world: { s3: { 'b/k': [{ at: 9 }, { at: 3 }] } } },
      'must be in order of time',
    ],
    [
      'a fault of no kind',
      { ...GOOD, faults: [{ service: 's3', from: 0, to: 1 }] },
      'faults[0] must have one of error',
    ],
    [
      'a fault with an unknown field',
      { ...GOOD, faults: [{ kill: 'api', at: 1, when: 2 }] },
      'faults[0].when is not a known field',
    ],
    ['a fault of an unknown function', { ...GOOD, faults: [{ kill: 'all', at: 1 }] }, 'faults[0].kill must be one of'],
    [
      'a share above 1',
      { ...GOOD, faults: [{ service: 's3', from: 0, to: 1, error: 'X', share: 2 }] },
      'faults[0].share',
    ],
    ['a step of no kind', { ...GOOD, steps: [{ at: 1 }] }, 'steps[0] must have one of submit, request, task'],
    ['steps out of order', { ...GOOD, steps: [check(5), check(1)] }, 'steps[1].at must not be before'],
    ['an unknown expectation', { ...GOOD, expect: { task: {} } }, 'expect.task is not a known field'],
    ['a range of one', { ...GOOD, expect: { calls: { s3: [1] } } }, 'expect.calls.s3'],
    ['an alert of no state', { ...GOOD, expect: { alerts: { a: ['done'] } } }, 'expect.alerts.a[0] must be one of'],
  ])('%s is refused by name', (_name, file, problem) => {
    expect(() => parseScenario(typeof file === 'string' ? file : JSON.stringify(file))).toThrow(problem);
  });
});

function check(at: number): object {
  return { at, task: 'a', is: { state: 'sensing' } };
}
