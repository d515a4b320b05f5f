import type { RemovalPolicy } from 'aws-cdk-lib';
import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** A queue for what could not be done: kept as long as SQS keeps anything, encrypted, over TLS only. */
export class DeadLetters extends Construct {
  readonly resource: Queue;

  constructor(scope: Construct, id: string, props: { readonly removalPolicy: RemovalPolicy }) {
    super(scope, id);
    this.resource = new Queue(this, 'Resource', {
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: props.removalPolicy,
    });
    Validations.of(this.resource).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue: of functions and their event sources, not of another queue.',
    });
  }
}
