import type { RemovalPolicy } from 'aws-cdk-lib';
import { CfnElement, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { INDEXES, PRIMARY_KEY, TTL_ATTRIBUTE } from '../functions/store/keys.ts';

export interface TaskTableProps {
  /** Refuse to delete the table until this is turned off. */
  readonly deletionProtection: boolean;
  /** What happens to the table when it leaves the stack. */
  readonly removalPolicy: RemovalPolicy;
}

type IndexName = keyof typeof INDEXES;

/** The one table: tasks, targets, queues and shards (DESIGN, section 3). Its stream is what others are told by. */
export class TaskTable extends Construct {
  readonly resource: TableV2;
  readonly streamArn: string;

  constructor(scope: Construct, id: string, props: TaskTableProps) {
    super(scope, id);
    this.resource = new TableV2(this, 'Resource', {
      partitionKey: { name: PRIMARY_KEY, type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: TTL_ATTRIBUTE,
      deletionProtection: props.deletionProtection,
      removalPolicy: props.removalPolicy,
    });
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('A table without a stream.');
    this.streamArn = tableStreamArn;
    for (const [indexName, { partition, sort, projection }] of Object.entries(INDEXES)) {
      this.resource.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partition, type: AttributeType.STRING },
        sortKey: { name: sort, type: AttributeType.NUMBER },
        projectionType: ProjectionType[projection],
      });
    }
  }

  /** Allows single actions (`GetItem`) on the items, none on the indexes. */
  grant(grantee: IGrantable, ...actions: readonly string[]): void {
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [this.resource.tableArn],
    });
  }

  /** Allows queries of these indexes, and of nothing else. */
  grantQuery(grantee: IGrantable, ...indexes: readonly IndexName[]): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:Query'],
      resourceArns: indexes.map((index) => `${this.resource.tableArn}/index/${index}`),
    });
  }

  /** Allows to read the stream. The CDK's own grant allows ListStreams on every table of the account. */
  grantStream(grantee: IGrantable & Construct): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resourceArns: [this.streamArn],
    });
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:ListStreams'],
      resourceArns: [`${this.resource.tableArn}/stream/*`],
    });
    Validations.of(grantee).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.logicalId}.Arn>/stream/*]`,
      reason: 'ListStreams is asked about a table: a single stream cannot be named. It is this one table.',
    });
  }

  private get logicalId(): string {
    const { defaultChild } = this.resource.node;
    if (!CfnElement.isCfnElement(defaultChild)) throw new Error('A table without a resource.');
    return Stack.of(this).getLogicalId(defaultChild);
  }
}
