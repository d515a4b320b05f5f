import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../functions/metrics.ts';
import type { MetricName } from '../functions/metrics.ts';

/**
 * A metric that the functions make of their logs, over all queues: without a dimension.
 * @param namespace the setting `metrics_namespace`
 * @returns of counts the sum, of times the maximum, in each period
 */
export function serviceMetric(namespace: string, metricName: MetricName, period: Duration): Metric {
  const statistic = METRICS[metricName] === 'Count' ? 'Sum' : 'Maximum';
  return new Metric({ namespace, metricName, statistic, period });
}
