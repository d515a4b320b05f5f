import { Duration } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant } from 'aws-cdk-lib/aws-iam';
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
 * token of a task that ends (DESIGN, section 7). At least once; what could not be delivered is put into the dead-letter
 * queue by the notifier itself, entry by entry.
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
        EVENT_BUS_NAME: this.eventBus.eventBusName,
        DEAD_LETTER_QUEUE_URL: this.deadLetters.resource.queueUrl,
        SETTINGS: settings,
      },
      timeout: Duration.minutes(2),
      logRetention,
      removalPolicy,
    });
    this.eventBus.grantPutEventsTo(this.notifier);
    grantTaskTokens(this.notifier, 'SendTaskSuccess', 'SendTaskFailure');
    Grant.addToPrincipal({
      grantee: this.notifier,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.deadLetters.resource.queueArn],
    });
    new StreamReader(this, 'Stream', {
      table,
      target: this.notifier,
      patterns: TOLD,
      batchSize: 50,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(1),
      onFailure: this.deadLetters.resource,
    });
  }
}
