import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { StateMachine, TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ROUTES, withQueues } from '../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import { parseSettings } from '../functions/settings.ts';
import { Accelerator } from './accelerator.ts';
import { Alarms } from './alarms.ts';
import { Deferral } from './deferral.ts';
import { ExecutionApi } from './execution-api.ts';
import { ServiceDashboard } from './dashboard.ts';
import { granted } from './grants.ts';
import type { GrantProps } from './grants.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import { Notifications } from './notifications.ts';
import { openedBy } from './opened.ts';
import { PokeWorker } from './poke-worker.ts';
import type { SensoriumProps } from './props.ts';
import { reserve } from './reserved-concurrency.ts';
import { SensorPolicies } from './sensor-policies.ts';
import { SmartSensor } from './smart-sensor.ts';
import { SubmitAndWait } from './submit-and-wait.ts';
import type { WaitForProps } from './submit-and-wait.ts';
import { TaskTable } from './task-table.ts';

export type { GrantProps, SensoriumProps };

/** API Gateway gives up after this. */
const API_TIMEOUT = Duration.seconds(29);

/**
 * The whole service: submit a task, and learn once and for all how its wait ended (ARCHITECTURE.md). It stands alone:
 * other stacks get its API, its table and its bus from here, and grant their roles what they need of the API.
 */
export class Sensorium extends Construct {
  readonly table: TaskTable;
  readonly api: ExecutionApi;
  readonly deferral: Deferral;
  readonly pokeWorker: PokeWorker;
  readonly smartSensor: SmartSensor;
  /** Missing where events are switched off. */
  readonly accelerator?: Accelerator;
  readonly notifications: Notifications;
  readonly submitAndWait: SubmitAndWait;

  constructor(scope: Construct, id: string, props: SensoriumProps) {
    super(scope, id);
    const opened = openedBy(props);
    const allowCancel = props.allowCancel ?? false;
    const settings = JSON.stringify(props.settings ?? {});
    // Throws with the setting's name here and not in a function's start.
    const { metrics_namespace: namespace, tick_seconds: tickSeconds } = parseSettings(settings);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    const house = { removalPolicy, logRetention: props.logRetention ?? RetentionDays.ONE_MONTH };

    this.table = new TaskTable(this, 'Table', {
      removalPolicy,
      deletionProtection: props.deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY,
      ...(props.table !== undefined && { existing: props.table }),
    });
    const policies = new SensorPolicies(this, 'SensorPolicies', { allow: opened.allow, allowCancel });
    this.deferral = new Deferral(this, 'Deferral', {
      ...house,
      table: this.table,
      settings,
      opened,
      policies,
      ...(props.emrEndpoint !== undefined && { emrEndpoint: props.emrEndpoint }),
    });
    this.pokeWorker = new PokeWorker(this, 'PokeWorker', {
      ...house,
      table: this.table,
      settings,
      opened,
      policies,
      ...(props.emrEndpoint !== undefined && { emrEndpoint: props.emrEndpoint }),
    });
    this.notifications = new Notifications(this, 'Notifications', {
      ...house,
      table: this.table,
      settings,
      ...(props.eventBus && { eventBus: props.eventBus }),
    });
    this.smartSensor = new SmartSensor(this, 'SmartSensor', {
      ...house,
      pokeWorker: this.pokeWorker.worker,
      deferral: this.deferral.worker,
      notifier: this.notifications.notifier,
      table: this.table,
      settings,
      opened,
      policies,
      ...(props.workerMemory !== undefined && { workerMemory: props.workerMemory }),
      ...(props.emrEndpoint !== undefined && { emrEndpoint: props.emrEndpoint }),
    });
    if (props.events ?? true) {
      this.accelerator = new Accelerator(this, 'Accelerator', {
        ...house,
        table: this.table,
        firstPoke: this.smartSensor.firstPoke,
        deferral: this.deferral.worker,
        allow: opened.allow,
      });
    }
    this.submitAndWait = new SubmitAndWait(this, 'SubmitAndWait', {
      ...house,
      table: this.table,
      settings,
      opened,
      allowCancel,
    });
    const api = this.apiFunction(house, settings, opened, allowCancel);
    const execution = this.executionFunction(house);
    this.api = new ExecutionApi(this, 'Api', {
      ...house,
      served: [
        { routes: withQueues(ROUTES), by: api },
        { routes: withQueues(EXECUTION_ROUTES), by: execution },
      ],
      rateLimit: props.apiRateLimit ?? 500,
      burstLimit: props.apiBurstLimit ?? 1000,
      accountLogRole: props.apiAccountLogRole ?? true,
    });
    reserve(props.reservedConcurrency ?? {}, this, { api, execution });
    if (props.dashboard ?? true) new ServiceDashboard(this, 'Dashboard', { namespace });
    new Alarms(this, 'Alarms', {
      namespace,
      tick: Duration.seconds(tickSeconds),
      api: this.api.resource,
      smartSensor: this.smartSensor,
      deferral: this.deferral,
      notifications: this.notifications,
      submitAndWait: this.submitAndWait,
      ...(this.accelerator && { accelerator: this.accelerator }),
      runbooks: props.runbooks ?? 'docs/runbooks',
      ...(props.alarmTopic && { topic: props.alarmTopic }),
    });
  }

  /**
   * A state for a state machine of your own: submits a task, waits for its end, and fails where the task did. Its output
   * is the task's end. It is a Task state like any other: give it a Catch, chain it, put it into a Map.
   */
  waitFor(scope: Construct, id: string, props: WaitForProps): TaskStateBase {
    return this.submitAndWait.waitFor(scope, id, props);
  }

  /**
   * A state machine as `submitAndWait.resource`, all of whose tasks go into one queue: its input can name no other. Whoever
   * may start it and nothing else reaches that queue alone.
   * @returns the same one however often it is asked for
   */
  submitAndWaitIn(queue: string): StateMachine {
    return this.submitAndWait.machineOf(queue);
  }

  /** Allows to submit tasks. */
  grantSubmit(grantee: IGrantable, limit?: GrantProps): Grant {
    return this.api.grantInvoke(grantee, granted('submit', limit));
  }

  /** Allows to read tasks and queues: whatever the API answers to GET. */
  grantRead(grantee: IGrantable, limit?: GrantProps): Grant {
    return this.api.grantInvoke(grantee, granted('read', limit));
  }

  /** Allows what an operator does: clear, mark and cancel tasks, and set up queues. Reading is a grant of its own. */
  grantOperate(grantee: IGrantable, limit?: GrantProps): Grant {
    return this.api.grantInvoke(grantee, granted('operate', limit));
  }

  /** Allows to run tasks of outside workers: the execution API, and nothing else. */
  grantExecute(grantee: IGrantable, limit?: GrantProps): Grant {
    return this.api.grantInvoke(grantee, granted('execute', limit));
  }

  private apiFunction(
    house: HouseProps,
    settings: string,
    opened: Opened,
    allowCancel: boolean,
  ): LambdaFunction<'api'> {
    const api = new LambdaFunction(this, 'ApiFunction', {
      handler: 'api',
      opened,
      description: 'Sensorium: submit tasks, ask about them, take them away',
      environment: {
        TABLE_NAME: this.table.resource.tableName,
        ALLOW_CANCEL: String(allowCancel),
        SETTINGS: settings,
        PAGE_TOKEN_KEY: this.pageTokenKey(),
      },
      timeout: API_TIMEOUT,
      ...house,
    });
    this.table.grant(api, 'GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert');
    this.table.grantQuery(api, 'hashcode-index', 'state-index');
    return api;
  }

  private executionFunction(house: HouseProps): LambdaFunction<'execution-api'> {
    const api = new LambdaFunction(this, 'ExecutionFunction', {
      handler: 'execution-api',
      description: 'Sensorium: the reports of workers that run tasks themselves',
      environment: { TABLE_NAME: this.table.resource.tableName },
      timeout: API_TIMEOUT,
      ...house,
    });
    this.table.grant(api, 'GetItem', 'UpdateItem');
    return api;
  }

  /** Made by Secrets Manager, so that it stands in no template and no repository. */
  private pageTokenKey(): string {
    const secret = new Secret(this, 'PageTokenKey', {
      description: 'Sensorium: signs the page tokens of its lists',
      generateSecretString: { excludePunctuation: true, passwordLength: 64 },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It signs places in a list that live for minutes: a rotation would only break the list being read.',
    });
    return secret.secretValue.unsafeUnwrap();
  }
}
