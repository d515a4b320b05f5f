import { CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import {
  DefinitionBody,
  Fail,
  IntegrationPattern,
  JitterType,
  QueryLanguage,
  StateMachine,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { ERRORS } from '../functions/step-functions.ts';
import type { WaitContext, WaitEvent } from '../functions/step-functions.ts';
import { checkQueue } from './grants.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import type { TaskTable } from './task-table.ts';
import { grantTaskTokens } from './task-tokens.ts';

export interface SubmitAndWaitProps extends HouseProps {
  readonly table: TaskTable;
  /** The service's settings, as JSON. */
  readonly settings: string;
  /** What sensors may read. */
  readonly opened: Opened;
  /** Whether removing a task may end what it watches. */
  readonly allowCancel: boolean;
}

/** One wait in a state machine of somebody else. */
export interface WaitForProps {
  /**
   * What a submit takes (openapi.json), without a callback. Any text may be a JSONata expression:
   * `{ sensor: { type: 's3_key', bucket: 'landing', key: '{% $states.input.key %}' } }`.
   */
  readonly task: Readonly<Record<string, unknown>>;
  /**
   * The only queue that the task may go into, whatever the execution's input makes of `task`.
   * @default - the one that the task names
   */
  readonly queue?: string;
  /**
   * How long the state waits; the task goes on without it, until its own end.
   * @default - a year: the task's own `timeout` ends the wait
   */
  readonly timeout?: Timeout;
  /**
   * What the state says of itself in the definition.
   * @default - nothing
   */
  readonly comment?: string;
}

/** What Lambda answers where it did not run the function, or nobody knows; a repeated submit is the same submit. */
const TRANSIENT = [
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
];

/** As long as an execution may be. */
const YEAR = Timeout.duration(Duration.days(365));

/** Parts of the context object that say which wait it is. What is undefined there is left out by JSONata. */
const EXECUTION = {
  execution: '$states.context.Execution.Id',
  redrive: '$states.context.Execution.RedriveCount',
} satisfies Partial<Record<keyof WaitContext, string>>;
const VISIT = {
  ...EXECUTION,
  state: '$states.context.State.Name',
  entered_at: '$states.context.State.EnteredTime',
  item: '$states.context.Map.Item.Index',
} satisfies Record<keyof WaitContext, string>;

/**
 * A state machine that submits a task, waits for its end with a task token and ends as the task did: its input is
 * `{"task": {...}}`, its output the task's end (docs/adr/0014). For whoever can start an execution and wait for it.
 */
export class SubmitAndWait extends Construct {
  readonly resource: StateMachine;
  readonly function: LambdaFunction<'submit'>;
  /** Those for one queue, by its name. */
  private readonly machines = new Map<string, StateMachine>();

  constructor(scope: Construct, id: string, props: SubmitAndWaitProps) {
    super(scope, id);
    const { table, settings, opened, allowCancel, logRetention, removalPolicy } = props;
    this.function = new LambdaFunction(this, 'Function', {
      handler: 'submit',
      opened,
      description: 'Sensorium: submits the tasks that state machines wait for',
      environment: {
        TABLE_NAME: table.resource.tableName,
        ALLOW_CANCEL: String(allowCancel),
        SETTINGS: settings,
      },
      timeout: Duration.seconds(30),
      logRetention,
      removalPolicy,
    });
    table.grant(this.function, 'GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert');
    grantTaskTokens(this.function, 'SendTaskFailure');

    this.resource = this.machine(this, {});
  }

  /** @returns a state machine of the same kind for one queue; made once. */
  machineOf(queue: string): StateMachine {
    const made = this.machines.get(checkQueue(queue));
    if (made !== undefined) return made;
    const machine = this.machine(new Construct(this, `Queue-${queue}`), { queue });
    this.machines.set(queue, machine);
    return machine;
  }

  /** @returns a state that submits a task and waits for its end: one transition, and no execution besides the caller's. */
  waitFor(scope: Construct, id: string, props: WaitForProps): TaskStateBase {
    return this.state(scope, id, props, VISIT);
  }

  private machine(scope: Construct, { queue }: Pick<WaitForProps, 'queue'>): StateMachine {
    const task = '{% $states.input.task %}';
    const wait = this.state(scope, 'Submit and wait', { task, ...(queue !== undefined && { queue }) }, EXECUTION);
    const failed = Fail.jsonata(scope, 'Not successful', {
      error: '{% $states.input.Error %}',
      cause: '{% $exists($states.input.Cause) ? $states.input.Cause : $states.input.Error %}',
    });
    const where = queue === undefined ? '' : `, its queue ${queue}`;
    const machine = new StateMachine(scope, 'Resource', {
      definitionBody: DefinitionBody.fromChainable(wait.addCatch(failed)),
      queryLanguage: QueryLanguage.JSONATA,
      comment: `Submits {"task": ...} to Sensorium${where}, waits for its end, and ends as it did`,
    });
    this.acknowledge(machine);
    return machine;
  }

  private state(
    scope: Construct,
    id: string,
    { task, queue, timeout = YEAR, comment }: Omit<WaitForProps, 'task'> & { readonly task: unknown },
    context: Readonly<Partial<Record<keyof WaitContext, string>>>,
  ): TaskStateBase {
    const members = Object.entries(context).map(([name, path]) => `'${name}': ${path}`);
    const payload = {
      task,
      // Beside the task and not in it: no input reaches this place.
      ...(queue !== undefined && { queue: checkQueue(queue) }),
      task_token: '{% $states.context.Task.Token %}',
      context: `{% { ${members.join(', ')} } %}`,
    } satisfies Partial<Record<keyof WaitEvent, unknown>>;
    const state = LambdaInvoke.jsonata(scope, id, {
      lambdaFunction: this.function.resource,
      integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
      payload: TaskInput.fromObject(payload),
      taskTimeout: timeout,
      // Its own rule would stand beside ours.
      retryOnServiceExceptions: false,
      ...(comment !== undefined && { comment }),
    });
    state.addRetry({
      errors: [...TRANSIENT, ERRORS.busy],
      interval: Duration.seconds(2),
      backoffRate: 2,
      maxAttempts: 8,
      maxDelay: Duration.minutes(1),
      jitterStrategy: JitterType.FULL,
    });
    return state;
  }

  private acknowledge(machine: StateMachine): void {
    const { defaultChild } = this.function.resource.node;
    if (!CfnElement.isCfnElement(defaultChild)) throw new Error('A function without a resource.');
    Validations.of(machine).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(defaultChild)}.Arn>:*]`,
        reason:
          'The CDK lets a state machine invoke any version of its function; there are none, and it is this function.',
      },
      {
        id: 'AwsSolutions-SF1',
        reason: 'Step Functions keeps the history of each execution for 90 days; a log of it would hold task tokens.',
      },
      {
        id: 'AwsSolutions-SF2',
        reason:
          'One state and one function: the history says all that a trace would, and the rest of the house has none.',
      },
    );
  }
}
