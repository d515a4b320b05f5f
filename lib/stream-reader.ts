import type { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StreamPattern } from '../functions/store/stream-patterns.ts';
import type { LambdaFunction } from './lambda-function.ts';
import type { TaskTable } from './task-table.ts';

export interface StreamReaderProps {
  readonly table: TaskTable;
  readonly target: LambdaFunction;
  readonly patterns: readonly StreamPattern[];
  /** Records an invocation, at most. */
  readonly batchSize: number;
  /** How often a batch that failed is tried again; -1: until its records are too old. */
  readonly retryAttempts: number;
  /** A record that is older goes to `onFailure` without another try. */
  readonly maxRecordAge: Duration;
  /**
   * Of a table that was there before, leave out what its stream still holds of the last day.
   * @default false
   */
  readonly skipsBacklog?: boolean;
  /** Where Lambda puts the place in the stream of what was given up. */
  readonly onFailure: IQueue;
}

/** A function on the table's stream: it gets what its patterns ask for, and a bad record stops the others for a while only. */
export class StreamReader extends Construct {
  constructor(scope: Construct, id: string, props: StreamReaderProps) {
    super(scope, id);
    const { target, table } = props;
    table.grantStream(target);
    new EventSourceMapping(this, 'Resource', {
      target: target.resource,
      eventSourceArn: table.streamArn,
      // From the beginning: what is written between the table's creation and the reader's is not lost.
      startingPosition:
        props.skipsBacklog === true && table.isAdopted ? StartingPosition.LATEST : StartingPosition.TRIM_HORIZON,
      filters: props.patterns.map((pattern) => FilterCriteria.filter({ ...pattern })),
      batchSize: props.batchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: props.retryAttempts,
      maxRecordAge: props.maxRecordAge,
      onFailure: new SqsDlq(props.onFailure),
    });
  }
}
