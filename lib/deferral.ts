import { Aws, Duration, Names, Stack, Validations } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { deferralDefinition } from '../functions/deferral/definition.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import type { SensorPolicies } from './sensor-policies.ts';
import { shownStatesArn, statesArn } from './states-arn.ts';
import type { TaskTable } from './task-table.ts';

export interface DeferralProps extends HouseProps {
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
 * Who waits in deferrable mode (DESIGN, section 5): an execution a target, that sleeps until the next poke is due and has
 * the function make it. The function starts executions, and they invoke the function: it knows the state machine by a
 * name that is given before either is there.
 */
export class Deferral extends Construct {
  readonly worker: LambdaFunction<'deferral'>;
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: DeferralProps) {
    super(scope, id);
    const { table, settings, opened, policies, emrEndpoint, logRetention, removalPolicy } = props;
    const stateMachineName = Names.uniqueResourceName(this, { maxLength: 80, separator: '-' });
    this.worker = new LambdaFunction(this, 'Function', {
      handler: 'deferral',
      opened,
      description: 'Sensorium: pokes deferrable targets when their executions wake, and sees to their executions',
      environment: {
        TABLE_NAME: table.resource.tableName,
        SETTINGS: settings,
        STATE_MACHINE_ARN: statesArn(this, 'stateMachine', stateMachineName),
      },
      timeout: Duration.seconds(60),
      logRetention,
      removalPolicy,
    });
    table.grant(this.worker, 'GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLUpdate');
    table.grantQuery(this.worker, 'hashcode-index', 'state-index');
    policies.grantRead(this.worker);
    this.grantExecutions(stateMachineName);
    // The SDK's own variable, and none of ours: on AWS it is not there.
    if (emrEndpoint !== undefined) this.worker.resource.addEnvironment('AWS_ENDPOINT_URL_EMR', emrEndpoint);

    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    this.worker.grantInvoke(role);
    const definition = deferralDefinition(this.worker.resource.functionArn, Aws.PARTITION);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineName,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      role,
    });
    Validations.of(this.stateMachine).acknowledge(
      {
        id: 'AwsSolutions-SF1',
        reason:
          'Step Functions keeps the history of an execution for 90 days; a log of each event costs more than the poke.',
      },
      {
        id: 'AwsSolutions-SF2',
        reason:
          'An execution waits for hours or weeks and calls one function: a trace shows nothing that its history does not.',
      },
    );
  }

  private grantExecutions(stateMachineName: string): void {
    const grantee = this.worker;
    Grant.addToPrincipal({
      grantee,
      actions: ['states:StartExecution', 'states:ListExecutions'],
      resourceArns: [statesArn(this, 'stateMachine', stateMachineName)],
    });
    const all = `${stateMachineName}:*`;
    const resourceArns = [statesArn(this, 'execution', all)];
    Grant.addToPrincipal({ grantee, actions: ['states:StopExecution'], resourceArns });
    Validations.of(grantee).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${shownStatesArn(this, 'execution', all)}]`,
      reason: 'It stops executions of its own state machine; each has a name of its own.',
    });
  }
}
