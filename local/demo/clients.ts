import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { EMRClient } from '@aws-sdk/client-emr';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { IDENTITY } from '../identity.ts';

export interface Clients {
  readonly cloudFormation: CloudFormationClient;
  readonly emr: EMRClient;
  readonly events: EventBridgeClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
}

/**
 * @param endpoint base URL of the AWS services
 * @param emrEndpoint base URL of the EMR API
 */
export function createClients(endpoint: string, emrEndpoint: string): Clients {
  const config = { ...IDENTITY, endpoint };
  return {
    cloudFormation: new CloudFormationClient(config),
    emr: new EMRClient({ ...config, endpoint: emrEndpoint }),
    events: new EventBridgeClient(config),
    s3: new S3Client({ ...config, forcePathStyle: true }),
    sqs: new SQSClient({ ...config, useQueueUrlAsEndpoint: false }),
  };
}
