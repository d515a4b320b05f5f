import type { RemovalPolicy } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { SettingsOverrides } from '../functions/settings.ts';
import type { ReservedConcurrency } from './reserved-concurrency.ts';

/** What an operator says of a service. */
export interface SensoriumProps {
  /**
   * What sensors may read, as ARN patterns (`arn:aws:s3:::landing/*`). Nobody can wait for anything else: the workers'
   * role has no more, and a submit that names more is refused. Empty: only sensors that read nothing. Some hundred
   * buckets fit; one pattern may open many (`arn:aws:s3:::team-*`).
   */
  readonly allow: readonly string[];
  /**
   * Queues whose tasks may read less than `allow` opens: `{ 'team-a': { allow: ['arn:aws:s3:::landing/a/*'] } }`. A task that
   * waits already for what is not opened any more ends with an error at its next poke.
   * @default - every queue has the whole of `allow`
   */
  readonly queues?: Readonly<Record<string, { readonly allow: readonly string[] }>>;
  /**
   * Open nothing to a queue that `queues` does not list: its tasks may wait for a time, and for work that others run.
   * @default false
   */
  readonly closed?: boolean;
  /**
   * Let removing a task that was submitted with `cancel_on_kill` end what it watches: cancel the EMR step, terminate the
   * cluster. The workers' role may then do so, on what `allow` opens.
   * @default false
   */
  readonly allowCancel?: boolean;
  /**
   * Settings of the service, in functions/settings.ts.
   * @default - the defaults that stand there
   */
  readonly settings?: SettingsOverrides;
  /**
   * What happens to the table, the queues of dead letters and the logs when they leave the stack.
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * Refuse to delete the table until this is turned off.
   * @default - true, unless the removal policy is DESTROY
   */
  readonly deletionProtection?: boolean;
  /**
   * Take over a table instead of making one: that of a stack that was destroyed, or a restored one. The ARN of its stream
   * (`aws dynamodb describe-table --query Table.LatestStreamArn`), which names the table as well. From then on each
   * deploy has to say it.
   * @default - a table of its own
   */
  readonly table?: string;
  /**
   * How long logs are kept.
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;
  /**
   * Megabytes of a shard worker; its share of a processor grows with them.
   * @default 1024
   */
  readonly workerMemory?: number;
  /**
   * Concurrent executions of the account that are kept for a function, and that it never exceeds. AWS refuses what would
   * leave less than 100 to all others.
   * @default - nothing is reserved: a new account has 10 in all, and any reservation would fail its deploy
   */
  readonly reservedConcurrency?: ReservedConcurrency;
  /**
   * API requests a second, on average; more are answered 429.
   * @default 500
   */
  readonly apiRateLimit?: number;
  /**
   * API requests at once; more are answered 429.
   * @default 1000
   */
  readonly apiBurstLimit?: number;
  /**
   * Set the role by which API Gateway writes the logs of all APIs of the account and Region. Turn it off where something
   * else sets it; without one no stage with logs can be made.
   * @default true
   */
  readonly apiAccountLogRole?: boolean;
  /**
   * The bus for the events `Task State Changed`.
   * @default - a bus of its own
   */
  readonly eventBus?: IEventBus;
  /**
   * Who is told of alarms.
   * @default - nobody: the alarms are there to be looked at
   */
  readonly alarmTopic?: ITopic;
  /**
   * Where alarms say their runbook is: a folder of this repository, or the beginning of a URL.
   * @default 'docs/runbooks'
   */
  readonly runbooks?: string;
  /**
   * Make a dashboard of the service's metrics in CloudWatch. An account has three without charge.
   * @default true
   */
  readonly dashboard?: boolean;
  /**
   * Have events of S3 and EMR on the account's default bus end waits at once; pokes end them anyway. A bucket sends its
   * events where EventBridge is switched on for it.
   * @default true
   */
  readonly events?: boolean;
  /**
   * Another endpoint for EMR, for emulators.
   * @default - AWS itself
   */
  readonly emrEndpoint?: string;
}
