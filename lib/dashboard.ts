import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../functions/metrics.ts';
import { serviceMetric } from './service-metric.ts';

export interface ServiceDashboardProps {
  /** Where the functions' metrics are. */
  readonly namespace: string;
}

/** Each queue says once in a tick how it stands: over a minute the sum is that of all queues. */
const PERIOD = Duration.minutes(1);

const GRAPHS: Readonly<Record<string, readonly MetricName[]>> = {
  'What waits: targets, pokes due in a tick, runs held': ['waiting', 'due', 'held', 'owed'],
  'Workers of a tick: wanted and running': ['workers_wanted', 'workers_running'],
  'How late: the oldest poke that is due, the latest that was made': ['oldest_due_ms', 'poke_lag_ms'],
  'Pokes and calls, and the calls that were saved': ['pokes', 'calls', 'calls_saved'],
  'What pokes say: met, unknown, throttled': ['met', 'unknown', 'throttled'],
  'Whoever waits: told, and to be told later': ['alerts_sent', 'alerts_put_off'],
  'For how long somebody has not been told': ['untold_ms'],
  'What should not be: poison, failed counts and dispatches': ['poison', 'counting_failed', 'dispatch_failed'],
  'What the backstops found': ['rejoined', 'taken_over'],
};

/** The service at a glance, over all queues; one queue's metrics have its name as dimension. */
export class ServiceDashboard extends Construct {
  readonly resource: Dashboard;

  constructor(scope: Construct, id: string, { namespace }: ServiceDashboardProps) {
    super(scope, id);
    const graphs = Object.entries(GRAPHS).map(
      ([title, names]) =>
        new GraphWidget({ title, width: 12, left: names.map((name) => serviceMetric(namespace, name, PERIOD)) }),
    );
    this.resource = new Dashboard(this, 'Resource', {
      defaultInterval: Duration.hours(3),
      // Over longer periods, sums of what stands would be none.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [graphs],
    });
  }
}
