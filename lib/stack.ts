import type { StackProps } from 'aws-cdk-lib';
import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { parseSettings } from '../functions/settings.ts';
import type { SensoriumProps } from './sensorium.ts';
import { Sensorium } from './sensorium.ts';

/** A stack with one Sensorium in it, and what its users have to know of it as outputs. */
export class SensoriumStack extends Stack {
  constructor(scope: Construct, id: string, props: SensoriumProps & StackProps) {
    super(scope, id, { description: 'Sensorium: waits for thousands of conditions at once', ...props });
    const service = new Sensorium(this, 'Sensorium', props);
    if (props.allow.length === 0) {
      Annotations.of(this).addInfo('Sensors may read nothing: open what they wait for with -c allow=arn:aws:s3:::...');
    }
    const outputs = {
      ApiUrl: service.api.resource.url,
      ApiId: service.api.resource.restApiId,
      TableName: service.table.resource.tableName,
      BusName: service.notifications.eventBus.eventBusName,
      DeadLetterQueueUrl: service.notifications.deadLetters.resource.queueUrl,
      DeferralArn: service.deferral.stateMachine.stateMachineArn,
      SubmitAndWaitArn: service.submitAndWait.resource.stateMachineArn,
      DispatcherName: service.smartSensor.dispatcher.resource.functionName,
      MaxConcurrency: String(parseSettings(JSON.stringify(props.settings ?? {})).max_concurrency),
      Region: this.region,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
