import { expect, test } from '@jest/globals';
import { placement } from '../../functions/sensors/placement.ts';
import { specOf } from './fakes.ts';

const codeOf = placement(64);
const step = (job_flow_id: string, step_id: string) => specOf({ type: 'emr_step', job_flow_id, step_id });

test('all steps of a cluster are watched under one code, clusters under many, and a key under that of its own hash', () => {
  const steps = Array.from({ length: 50 }, (_, n) => codeOf(step('j-1', `s-${n}`)));
  expect(new Set(steps).size).toBe(1);
  const clusters = new Set(Array.from({ length: 200 }, (_, n) => codeOf(step(`j-${n}`, 's-1'))));
  expect(clusters.size).toBeGreaterThan(50);
  expect([...clusters].every((code) => code !== undefined && code >= 0 && code < 64)).toBe(true);
  expect(codeOf(specOf({ type: 's3_key', bucket: 'b', key: 'k' }))).toBeUndefined();
});
