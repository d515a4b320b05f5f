import type { RemovalPolicy } from 'aws-cdk-lib';
import { Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
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
  /**
   * The ARN of the stream of a table that is there already and is taken over.
   * @default - a new table
   */
  readonly existing?: string;
}

/** ARN of a stream: that of its table, and which stream it is. */
const STREAM_ARN = /^(arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+)\/stream\/[\w.:-]+$/;

type IndexName = keyof typeof INDEXES;

/** The one table: tasks, targets, queues and shards (DESIGN, section 3). Its stream is what others are told by. */
export class TaskTable extends Construct {
  readonly resource: ITableV2 | TableV2;
  readonly streamArn: string;
  /** It was there before this stack, and so was its stream. */
  readonly isAdopted: boolean;

  constructor(scope: Construct, id: string, props: TaskTableProps) {
    super(scope, id);
    this.isAdopted = props.existing !== undefined;
    this.resource = props.existing === undefined ? this.create(props) : this.adopt(props.existing);
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('A table without a stream.');
    this.streamArn = tableStreamArn;
  }

  private create({ deletionProtection, removalPolicy }: TaskTableProps): TableV2 {
    const table = new TableV2(this, 'Resource', {
      partitionKey: { name: PRIMARY_KEY, type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: TTL_ATTRIBUTE,
      deletionProtection,
      removalPolicy,
    });
    for (const [indexName, { partition, sort, projection }] of Object.entries(INDEXES)) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partition, type: AttributeType.STRING },
        sortKey: { name: sort, type: AttributeType.NUMBER },
        projectionType: ProjectionType[projection],
      });
    }
    return table;
  }

  private adopt(tableStreamArn: string): ITableV2 {
    const [, tableArn] = STREAM_ARN.exec(tableStreamArn) ?? [];
    if (tableArn === undefined) {
      throw new Error(
        `table is "${tableStreamArn}"; it should be the ARN of a table's stream (arn:aws:dynamodb:...:table/NAME/stream/...): aws dynamodb describe-table --table-name NAME --query Table.LatestStreamArn`,
      );
    }
    return TableV2.fromTableAttributes(this, 'Resource', { tableArn, tableStreamArn });
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

  /** Allows to read the stream. */
  grantStream(grantee: IGrantable & Construct): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resourceArns: [this.streamArn],
    });
    Grant.addToPrincipal({ grantee, actions: ['dynamodb:ListStreams'], resourceArns: ['*'] });
    Validations.of(grantee).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'ListStreams takes no resource: on less than all it is allowed on nothing. It tells the names of streams.',
    });
  }
}
