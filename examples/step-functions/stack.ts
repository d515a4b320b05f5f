import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import { Chain, DefinitionBody, Pass, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { Sensorium } from 'sensorium';

/** A state machine that waits for a key and then makes a report, and the service that waits for it. */
export class NightlyStack extends Stack {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const service = new Sensorium(this, 'Sensorium', { allow: ['arn:aws:s3:::landing/*'] });

    const orders = service.waitFor(this, 'Wait for orders', {
      task: {
        sensor: { type: 's3_key', bucket: '{% $states.input.bucket %}', key: "{% 'orders/' & $states.input.date %}" },
        timeout: 'PT6H',
      },
    });

    const report = Pass.jsonata(this, 'Make the report', {
      outputs: { report: 'with orders', wait: '{% $states.input %}' },
    });
    // Which state the task ended in is the error's name; why is its cause.
    const without = Pass.jsonata(this, 'Report without orders', {
      outputs: { report: 'without orders', why: '{% $states.input.Cause %}' },
    });
    this.machine = new StateMachine(this, 'Nightly', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(
        Chain.start(orders.addCatch(without, { errors: ['Sensorium.Failed'] })).next(report),
      ),
    });
  }
}
