/**
 * Which events of EventBridge can end a wait: data, for the rules that deliver them and for the schema that reads them.
 * Events are best effort: a poke is the judge of whatever one says.
 */

/** States of a step that nothing leads out of. */
export const STEP_ENDS = ['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED'] as const;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
export const OBJECT_CREATED = { source: 'aws.s3', detailType: 'Object Created' } as const;

/** https://docs.aws.amazon.com/emr/latest/ManagementGuide/emr-manage-cloudwatch-events.html */
export const STEP_CHANGED = { source: 'aws.emr', detailType: 'EMR Step Status Change' } as const;
export const CLUSTER_CHANGED = { source: 'aws.emr', detailType: 'EMR Cluster State Change' } as const;
