import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { MetricName } from '../functions/metrics.ts';
import type { Accelerator } from './accelerator.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Deferral } from './deferral.ts';
import type { LambdaFunction } from './lambda-function.ts';
import type { Notifications } from './notifications.ts';
import { serviceMetric } from './service-metric.ts';
import type { SmartSensor } from './smart-sensor.ts';
import type { SubmitAndWait } from './submit-and-wait.ts';

export interface AlarmsProps {
  /** Where the functions' metrics are. */
  readonly namespace: string;
  /** How often a queue ticks. */
  readonly tick: Duration;
  readonly api: RestApi;
  readonly smartSensor: SmartSensor;
  readonly deferral: Deferral;
  readonly notifications: Notifications;
  readonly submitAndWait: SubmitAndWait;
  /**
   * What hears of AWS's own events.
   * @default - nobody does
   */
  readonly accelerator?: Accelerator;
  /**
   * Who is told when an alarm goes off and when it is over.
   * @default - nobody: the alarms are there to be looked at
   */
  readonly topic?: ITopic;
  /** Where the runbooks are: a path or the beginning of a URL, without a slash at its end. */
  readonly runbooks: string;
}

interface Watched {
  /** What it means for people, in a sentence. */
  readonly impact: string;
  readonly metric: IMetric;
  /** Off at this value and above. */
  readonly atLeast?: number;
  /** Off below this value, and when nothing is reported. */
  readonly below?: number;
  /** How many periods in a row. */
  readonly periods?: number;
}

const PERIOD = Duration.minutes(5);

/** One alarm for each way in which people would notice; each has a runbook of its name. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const all = { ...watchedBy(props), ...watchedWork(props), ...watchedEvents(props) };
    for (const [name, watched] of Object.entries(all)) this.add(name, watched, props);
  }

  private add(name: string, watched: Watched, { topic, runbooks }: AlarmsProps): void {
    const alarm = new Alarm(this, name, {
      alarmDescription: `${watched.impact} Runbook: ${runbooks}/${name}.md`,
      metric: watched.metric,
      threshold: watched.below ?? watched.atLeast ?? 1,
      evaluationPeriods: watched.periods ?? 1,
      ...(watched.below === undefined
        ? {
            comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treatMissingData: TreatMissingData.NOT_BREACHING,
          }
        : { comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD, treatMissingData: TreatMissingData.BREACHING }),
    });
    if (topic === undefined) return;
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

function watchedBy(props: AlarmsProps): Readonly<Record<string, Watched>> {
  const { api, smartSensor, deferral, notifications, submitAndWait } = props;
  const { dispatcher, shardWorker, firstPoke, router, routerFailures } = smartSensor;
  const { notifier, deadLetters } = notifications;
  return {
    'dead-letters': {
      impact:
        "News in the table's stream could not be read for a day: somebody who waits for a task was not told how it ended.",
      metric: waiting(deadLetters),
    },
    'ticks-stopped': {
      impact: 'No condition is poked: tasks neither succeed nor reach their deadline.',
      metric: dispatcher.resource.metricInvocations({ period: PERIOD }),
      below: 1,
    },
    'dispatcher-errors': {
      impact: 'Ticks fail before any worker is started: conditions are poked late or not at all.',
      metric: errors(dispatcher),
      atLeast: 3,
    },
    'shard-worker-errors': {
      impact: 'Some shards lose whole ticks: their tasks learn of their conditions late.',
      metric: errors(shardWorker),
      periods: 2,
    },
    'deferral-errors': {
      impact: 'Deferrable tasks are poked late: their executions try again every minute for as long as it takes.',
      metric: errors(deferral.worker),
      periods: 2,
    },
    'executions-failed': {
      impact: 'Nobody waits for some deferrable tasks until the watchdog takes them over: up to ten minutes late.',
      metric: deferral.stateMachine.metricFailed({ period: PERIOD }),
    },
    'first-poke-errors': {
      impact: 'New tasks are not poked at once but in the next tick: up to a minute late.',
      metric: errors(firstPoke),
      periods: 3,
    },
    'router-behind': {
      impact: 'New tasks are not poked at once but in the next tick: up to a minute late.',
      metric: iteratorAge(router),
      atLeast: Duration.minutes(2).toMilliseconds(),
      periods: 2,
    },
    'router-failures': {
      impact: 'The first poke of some new tasks was given up; the next tick makes it.',
      metric: waiting(routerFailures),
    },
    'notifier-behind': {
      impact: 'Whoever waits for a task learns of its end minutes late; after a day the news go to the dead letters.',
      metric: iteratorAge(notifier),
      atLeast: Duration.minutes(5).toMilliseconds(),
    },
    'submit-errors': {
      impact: 'State machines that wait for a task fail before it is submitted.',
      metric: errors(submitAndWait.function),
      periods: 2,
    },
    'api-errors': {
      impact: 'Tasks cannot be submitted, read or reported on: callers see server errors.',
      metric: api.metricServerError({ period: PERIOD, statistic: Stats.SUM }),
      atLeast: 5,
    },
  };
}

/** What the functions say of their work themselves. */
function watchedWork({ namespace, tick }: AlarmsProps): Readonly<Record<string, Watched>> {
  const work = (name: MetricName): Metric => serviceMetric(namespace, name, PERIOD);
  return {
    'pokes-late': {
      impact:
        'Conditions are poked more than two ticks late: tasks learn late that they hold, or that their time is over.',
      metric: work('oldest_due_ms'),
      atLeast: 2 * tick.toMilliseconds(),
      periods: 2,
    },
    throttled: {
      impact:
        'An AWS API has throttled our calls for 15 minutes: pokes get slower, and the account shares its quota with us.',
      metric: work('throttled'),
      periods: 3,
    },
    'counting-failed': {
      impact: 'Queues keep the number of workers they had, whatever falls due in them.',
      metric: work('counting_failed'),
      atLeast: 3,
    },
    'dispatch-failed': {
      impact: 'Some queues got no workers, or did not note it: their conditions are poked late.',
      metric: work('dispatch_failed'),
      atLeast: 3,
    },
    'sweep-findings': {
      impact: 'Tasks waited on a target that was not poked as they need: they would have learned late, or never.',
      metric: work('rejoined'),
    },
    'watchdog-takeovers': {
      impact: 'Executions that wait for deferrable tasks are missing: until they are taken over, nobody pokes.',
      metric: work('taken_over'),
    },
    untold: {
      impact: 'For half an hour somebody who waits for a task could not be told how it ended; it is tried on and on.',
      metric: work('untold_ms'),
      atLeast: Duration.minutes(30).toMilliseconds(),
    },
    poison: {
      impact: 'A record cannot be read, or a sensor throws: whoever waits on it does not learn how it ends.',
      metric: work('poison'),
    },
  };
}

function watchedEvents({ accelerator }: AlarmsProps): Readonly<Record<string, Watched>> {
  if (accelerator === undefined) return {};
  return {
    'event-failures': {
      impact: 'Events of S3 or EMR were given up: what waits for them learns of it by its next poke.',
      metric: waiting(accelerator.failures),
    },
  };
}

function waiting({ resource }: DeadLetters): Metric {
  return resource.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: Stats.MAXIMUM });
}

function errors({ resource }: LambdaFunction): Metric {
  return resource.metricErrors({ period: PERIOD });
}

function iteratorAge({ resource }: LambdaFunction): Metric {
  return resource.metric('IteratorAge', { period: PERIOD, statistic: Stats.MAXIMUM });
}
