import { Duration } from 'aws-cdk-lib';
import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import { CLUSTER_CHANGED, OBJECT_CREATED, STEP_CHANGED, STEP_ENDS } from '../functions/sensors/event-patterns.ts';
import { DeadLetters } from './dead-letters.ts';
import { bucketMatchers } from './event-buckets.ts';
import type { HouseProps } from './lambda-function.ts';
import { LambdaFunction } from './lambda-function.ts';
import type { TaskTable } from './task-table.ts';

export interface AcceleratorProps extends HouseProps {
  readonly table: TaskTable;
  /** Pokes smart targets at once. */
  readonly firstPoke: LambdaFunction<'shard-worker'>;
  /** Pokes deferrable targets at once. */
  readonly deferral: LambdaFunction<'deferral'>;
  /** ARN patterns that sensors may read: of other buckets no event is of use. */
  readonly allow: readonly string[];
}

/** What is older is left to the cadence. */
const MAX_AGE = Duration.minutes(5);
const RETRIES = 2;

interface RuleOf {
  readonly description: string;
  readonly eventPattern: EventPattern;
}

/** @returns the rule for objects; none where no bucket is allowed. */
function objectRule(allow: readonly string[]): Readonly<Record<string, RuleOf>> {
  const names = bucketMatchers(allow);
  if (names?.length === 0) return {};
  return {
    Objects: {
      description: 'Sensorium: an object is there; of buckets that send their events to EventBridge',
      eventPattern: {
        source: [OBJECT_CREATED.source],
        detailType: [OBJECT_CREATED.detailType],
        ...(names && { detail: { bucket: { name: [...names] } } }),
      },
    },
  };
}

/** Rules by name, and what they are for. Steps that go on end no wait. */
const RULES: Readonly<Record<string, RuleOf>> = {
  Steps: {
    description: 'Sensorium: a step of an EMR cluster has ended',
    eventPattern: {
      source: [STEP_CHANGED.source],
      detailType: [STEP_CHANGED.detailType],
      detail: { state: [...STEP_ENDS] },
    },
  },
  Clusters: {
    description: 'Sensorium: an EMR cluster has another state',
    eventPattern: { source: [CLUSTER_CHANGED.source], detailType: [CLUSTER_CHANGED.detailType] },
  },
};

/**
 * Events as accelerator (DESIGN, section 6): what AWS tells on the default bus has the targets that wait for it poked at
 * once (docs/adr/0015). Without it every wait ends as well, by its next poke.
 */
export class Accelerator extends Construct {
  readonly events: LambdaFunction<'events'>;
  readonly failures: DeadLetters;

  constructor(scope: Construct, id: string, props: AcceleratorProps) {
    super(scope, id);
    const { table, firstPoke, deferral, logRetention, removalPolicy } = props;
    this.failures = new DeadLetters(this, 'Failures', { removalPolicy });
    this.events = new LambdaFunction(this, 'Events', {
      handler: 'events',
      description: 'Sensorium: has the targets that an event may end poked at once',
      environment: {
        TABLE_NAME: table.resource.tableName,
        SHARD_WORKER_NAME: firstPoke.resource.functionName,
        DEFERRAL_NAME: deferral.resource.functionName,
      },
      timeout: Duration.seconds(30),
      memorySize: 512,
      logRetention,
      removalPolicy,
    });
    this.events.resource.configureAsyncInvoke({
      retryAttempts: RETRIES,
      maxEventAge: MAX_AGE,
      onFailure: new SqsDestination(this.failures.resource),
    });
    table.grant(this.events, 'GetItem', 'BatchGetItem');
    table.grantQuery(this.events, 'state-index');
    firstPoke.grantInvoke(this.events);
    deferral.grantInvoke(this.events);
    for (const [name, rule] of Object.entries({ ...objectRule(props.allow), ...RULES })) {
      const deadLetterQueue = this.failures.resource;
      new Rule(this, name, {
        ...rule,
        targets: [
          new LambdaTarget(this.events.resource, { retryAttempts: RETRIES, maxEventAge: MAX_AGE, deadLetterQueue }),
        ],
      });
    }
  }
}
