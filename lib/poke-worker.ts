import { Duration } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Opened } from '../functions/sensors/opened.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import type { SensorPolicies } from './sensor-policies.ts';
import type { TaskTable } from './task-table.ts';

export interface PokeWorkerProps extends HouseProps {
  readonly table: TaskTable;
  /** The settings of the service, as the function reads them. */
  readonly settings: string;
  /** What sensors may read. */
  readonly opened: Opened;
  /** What of it the roles let them. */
  readonly policies: SensorPolicies;
  /**
   * Another endpoint for EMR.
   * @default - AWS itself
   */
  readonly emrEndpoint?: string;
}

/**
 * Who waits in the modes poke and reschedule (DESIGN, section 5): an invocation is one run of one task. Before its time
 * is over it hands over to the next, by invoking itself.
 */
export class PokeWorker extends Construct {
  readonly worker: LambdaFunction<'poke-worker'>;

  constructor(scope: Construct, id: string, props: PokeWorkerProps) {
    super(scope, id);
    const { table, settings, opened, policies, emrEndpoint, logRetention, removalPolicy } = props;
    this.worker = new LambdaFunction(this, 'Worker', {
      handler: 'poke-worker',
      opened,
      description: 'Sensorium: one run of one task that pokes for itself',
      environment: { TABLE_NAME: table.resource.tableName, SETTINGS: settings },
      // As long as Lambda allows: a run in mode poke stays, and hands over a minute before.
      timeout: Duration.minutes(15),
      // A run that is late is started by the next tick.
      dropAfter: Duration.seconds(60),
      // It comes back to itself by design: a wait of days is hundreds of runs.
      recursiveLoop: RecursiveLoop.ALLOW,
      logRetention,
      removalPolicy,
    });
    table.grant(this.worker, 'GetItem', 'UpdateItem');
    policies.grantRead(this.worker);
    // A policy apart: in the role's own the function would wait for a policy that waits for the function.
    const { functionArn } = this.worker.resource;
    new Policy(this, 'HandsOver', {
      statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] })],
    }).attachToRole(this.worker.role);
    // The SDK's own variable, and none of ours: on AWS it is not there.
    if (emrEndpoint !== undefined) this.worker.resource.addEnvironment('AWS_ENDPOINT_URL_EMR', emrEndpoint);
  }
}
