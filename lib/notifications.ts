import { Duration } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { TOLD } from '../functions/store/stream-patterns.ts';
import { DeadLetters } from './dead-letters.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import { StreamReader } from './stream-reader.ts';
import type { TaskTable } from './task-table.ts';
import { grantTaskTokens } from './task-tokens.ts';

export interface NotificationsProps extends HouseProps {
  readonly table: TaskTable;
  /** The settings of the service, as the function reads them. */
  readonly settings: string;
  /**
   * Where the events go.
   * @default - a bus of its own
   */
  readonly eventBus?: IEventBus;
}

/**
 * Tells whoever waits: an event on the bus for every transition to an end or to up_for_retry, and an answer to the task
 * token of a task that ends (DESIGN, section 7). At least once; who cannot be told at once is told again, from marks in the
 * table, when a tick says so. The dead letters hold places in the stream that could not be read for a day.
 */
export class Notifications extends Construct {
  readonly eventBus: IEventBus | EventBus;
  readonly notifier: LambdaFunction<'notifier'>;
  readonly deadLetters: DeadLetters;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { table, settings, logRetention, removalPolicy } = props;
    this.eventBus = props.eventBus ?? new EventBus(this, 'Bus');
    this.deadLetters = new DeadLetters(this, 'DeadLetters', { removalPolicy });
    this.notifier = new LambdaFunction(this, 'Notifier', {
      handler: 'notifier',
      description: 'Sensorium: tells the event bus and waiting executions of committed transitions',
      environment: {
        TABLE_NAME: table.resource.tableName,
        EVENT_BUS_NAME: this.eventBus.eventBusName,
        SETTINGS: settings,
      },
      timeout: Duration.minutes(2),
      // What a tick has asked for and is not begun, the next tick asks for.
      dropAfter: Duration.minutes(1),
      logRetention,
      removalPolicy,
    });
    this.eventBus.grantPutEventsTo(this.notifier);
    grantTaskTokens(this.notifier, 'SendTaskSuccess', 'SendTaskFailure');
    table.grant(this.notifier, 'GetItem', 'UpdateItem', 'DeleteItem', 'PartiQLInsert', 'PartiQLUpdate');
    table.grantQuery(this.notifier, 'shardcode-index');
    new StreamReader(this, 'Stream', {
      table,
      target: this.notifier,
      patterns: TOLD,
      batchSize: 50,
      // Only a table that takes no marks fails a batch; the stream forgets after a day, and the dead letters name the place.
      retryAttempts: -1,
      maxRecordAge: Duration.hours(23),
      onFailure: this.deadLetters.resource,
    });
  }
}
