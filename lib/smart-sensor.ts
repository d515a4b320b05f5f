import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ROUTED } from '../functions/store/stream-patterns.ts';
import { DeadLetters } from './dead-letters.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import type { SensorPolicies } from './sensor-policies.ts';
import { StreamReader } from './stream-reader.ts';
import type { TaskTable } from './task-table.ts';

export interface SmartSensorProps extends HouseProps {
  readonly table: TaskTable;
  /** The settings of the service, as the functions read them. */
  readonly settings: string;
  /** What sensors may read. */
  readonly opened: Opened;
  /** What the roles let sensors read, and end. */
  readonly policies: SensorPolicies;
  /** Runs the tasks that poke for themselves. */
  readonly pokeWorker: LambdaFunction<'poke-worker'>;
  /** Sees to the executions that wait for deferrable targets. */
  readonly deferral: LambdaFunction<'deferral'>;
  /** Tells those again who could not be told. */
  readonly notifier: LambdaFunction<'notifier'>;
  /**
   * Megabytes of a shard worker.
   * @default - as all functions have theirs
   */
  readonly workerMemory?: number;
  /**
   * Another endpoint for EMR.
   * @default - AWS itself
   */
  readonly emrEndpoint?: string;
}

/** A tick that is late is over: the next one makes its pokes. */
const TICK = Duration.seconds(60);

/**
 * Who waits in smart mode (DESIGN, section 6): about every minute the dispatcher starts as many shard workers as there
 * is work for; a new target is poked at once, by way of the router on the table's stream.
 */
export class SmartSensor extends Construct {
  readonly dispatcher: LambdaFunction<'dispatcher'>;
  readonly shardWorker: LambdaFunction<'shard-worker'>;
  /** The shard worker's code once more: a burst of first pokes takes no room and no memory of the ticks'. */
  readonly firstPoke: LambdaFunction<'shard-worker'>;
  readonly router: LambdaFunction<'router'>;
  readonly routerFailures: DeadLetters;

  constructor(scope: Construct, id: string, props: SmartSensorProps) {
    super(scope, id);
    const { table, settings, policies, deferral, notifier, logRetention, removalPolicy } = props;
    const house = { logRetention, removalPolicy };
    this.shardWorker = this.worker('ShardWorker', 'Sensorium: one tick of some shards of a queue', props);
    // Ticks alone end what is watched, and nobody's first poke.
    policies.grantEnd(this.shardWorker);
    this.firstPoke = this.worker('FirstPoke', 'Sensorium: pokes new targets at once', props);

    this.dispatcher = new LambdaFunction(this, 'Dispatcher', {
      handler: 'dispatcher',
      description: 'Sensorium: starts the shard workers of a tick, as many as there is work for',
      environment: {
        TABLE_NAME: table.resource.tableName,
        SETTINGS: settings,
        SHARD_WORKER_NAME: this.shardWorker.resource.functionName,
        DEFERRAL_NAME: deferral.resource.functionName,
        NOTIFIER_NAME: notifier.resource.functionName,
      },
      timeout: Duration.seconds(45),
      dropAfter: TICK,
      ...house,
    });
    table.grant(this.dispatcher, 'GetItem', 'BatchGetItem', 'UpdateItem');
    table.grantQuery(this.dispatcher, 'shardcode-index', 'state-index');
    this.shardWorker.grantInvoke(this.dispatcher);
    deferral.grantInvoke(this.dispatcher);
    notifier.grantInvoke(this.dispatcher);
    new Rule(this, 'Tick', {
      description: 'Sensorium: the tick of smart mode',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaTarget(this.dispatcher.resource, { retryAttempts: 0, maxEventAge: TICK })],
    });

    this.router = new LambdaFunction(this, 'Router', {
      handler: 'router',
      description: 'Sensorium: hands the targets of new tasks to a worker that pokes them at once',
      environment: {
        SHARD_WORKER_NAME: this.firstPoke.resource.functionName,
        DEFERRAL_NAME: deferral.resource.functionName,
      },
      timeout: Duration.seconds(30),
      ...house,
    });
    this.firstPoke.grantInvoke(this.router);
    deferral.grantInvoke(this.router);
    this.routerFailures = new DeadLetters(this, 'RouterFailures', { removalPolicy });
    new StreamReader(this, 'Stream', {
      table,
      target: this.router,
      patterns: ROUTED,
      batchSize: 100,
      retryAttempts: 3,
      // Older ones have been poked by a tick.
      maxRecordAge: Duration.minutes(5),
      // A day of old records would all go to the dead letters; the next tick looks at what they told.
      skipsBacklog: true,
      onFailure: this.routerFailures.resource,
    });
  }

  private worker(id: string, description: string, props: SmartSensorProps): LambdaFunction<'shard-worker'> {
    const { table, settings, opened, policies, pokeWorker, workerMemory, emrEndpoint, logRetention, removalPolicy } =
      props;
    const worker = new LambdaFunction(this, id, {
      handler: 'shard-worker',
      opened,
      description,
      environment: {
        TABLE_NAME: table.resource.tableName,
        SETTINGS: settings,
        POKE_WORKER_NAME: pokeWorker.resource.functionName,
      },
      timeout: TICK,
      ...(workerMemory !== undefined && { memorySize: workerMemory }),
      dropAfter: TICK,
      logRetention,
      removalPolicy,
    });
    table.grant(worker, 'GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem', 'PartiQLUpdate');
    table.grantQuery(worker, 'hashcode-index', 'shardcode-index', 'state-index');
    policies.grantRead(worker);
    pokeWorker.grantInvoke(worker);
    // The SDK's own variable, and none of ours: on AWS it is not there.
    if (emrEndpoint !== undefined) worker.resource.addEnvironment('AWS_ENDPOINT_URL_EMR', emrEndpoint);
    return worker;
  }
}
