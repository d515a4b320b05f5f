import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { counted, metricLine, METRICS } from '../functions/metrics.ts';
import type { MetricName } from '../functions/metrics.ts';
import { T0 } from './support/tasks.ts';

interface Emf {
  readonly [field: string]: unknown;
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}

/** As the log has it. */
const read = (line: unknown): Emf => JSON.parse(JSON.stringify(line)) as Emf;

const names = Object.keys(METRICS) as MetricName[];

describe('a line with metrics', () => {
  test('is the line of before, with what CloudWatch needs besides', () => {
    expect(
      metricLine('Sensorium', { queue: 'q' }, { pokes: 3, poke_lag_ms: 0 }, { message: 'tick', ms: 5 }, T0),
    ).toEqual({
      message: 'tick',
      ms: 5,
      queue: 'q',
      pokes: 3,
      poke_lag_ms: 0,
      _aws: {
        Timestamp: T0,
        CloudWatchMetrics: [
          {
            Namespace: 'Sensorium',
            Dimensions: [['queue'], []],
            Metrics: [
              { Name: 'pokes', Unit: 'Count' },
              { Name: 'poke_lag_ms', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
    });
  });

  test('without a dimension has its metrics once', () => {
    const { _aws } = read(metricLine('S', {}, { alerts_sent: 1 }, { message: 'notified' }, T0));
    expect(_aws.CloudWatchMetrics[0]?.Dimensions).toEqual([[]]);
  });

  test.each([[{}], [{ due: undefined }], [{ due: Number.NaN }], [{ due: Number.POSITIVE_INFINITY }]])(
    'is a plain one where nothing was measured: %p',
    (metrics) => {
      expect(metricLine('S', { queue: 'q' }, metrics, { message: 'm' }, T0)).toEqual({ message: 'm', queue: 'q' });
    },
  );

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
  test('keeps the rules of the format, whatever was measured', () => {
    const metrics = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.double(), fc.nat(), fc.constant(undefined)));
    fc.assert(
      fc.property(metrics, fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,63}$/), fc.nat(), (measured, queue, now) => {
        const line = read(metricLine('Sensorium', { queue }, measured, { message: 'm' }, now));
        if (!('_aws' in line)) return;
        expect(line._aws.Timestamp).toBe(now);
        expect(line._aws.CloudWatchMetrics).toHaveLength(1);
        for (const { Namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
          expect(Namespace).toMatch(/^[^:].{0,255}$/);
          // Each dimension is a text, each metric a number, at the root of the line.
          for (const name of Dimensions.flat()) expect(line[name]).toMatch(/./);
          for (const set of Dimensions) expect(set.length).toBeLessThanOrEqual(30);
          expect(Metrics.length).toBeGreaterThan(0);
          expect(Metrics.length).toBeLessThanOrEqual(100);
          expect(new Set(Metrics.map(({ Name }) => Name)).size).toBe(Metrics.length);
          for (const { Name, Unit } of Metrics) {
            expect(typeof line[Name]).toBe('number');
            expect(['Count', 'Milliseconds']).toContain(Unit);
          }
        }
      }),
    );
  });
});

test('what did not happen is left out of what is counted', () => {
  expect(counted({ pokes: 2, throttled: 0, poison: 0, calls: undefined })).toEqual({ pokes: 2, calls: undefined });
});
