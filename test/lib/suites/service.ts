import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ROUTES, withQueues } from '../../../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../../../functions/execution-api/routes.ts';
import { METRICS } from '../../../functions/metrics.ts';
import { Sensorium } from '../../../lib/sensorium.ts';
import { newApp, stackOf, template } from '../stacks.ts';
import { all, one } from '../templates.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describe('the API', () => {
  test('has the routes of the tables and no others, IAM on every one', () => {
    const methods = all('AWS::ApiGateway::Method');
    expect(methods).toHaveLength(withQueues(ROUTES).length + withQueues(EXECUTION_ROUTES).length);
    for (const [, { AuthorizationType }] of methods) expect(AuthorizationType).toBe('AWS_IAM');
  });

  test('has one path variable below a parent at most: API Gateway refuses a second one on deploy', () => {
    const parts = all('AWS::ApiGateway::Resource').map(([, { ParentId, PathPart }]) => ({ ParentId, PathPart }));
    const variables = parts.filter(({ PathPart }) => String(PathPart).startsWith('{'));
    expect(variables.map(({ PathPart }) => String(PathPart)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      '{id}',
      '{id}',
      '{id}',
      '{id}',
      '{name}',
      '{name}',
    ]);
    expect(new Set(variables.map(({ ParentId }) => JSON.stringify(ParentId))).size).toBe(variables.length);
  });

  test('needs one permission a function, and leaves room in the template', () => {
    const permissions = all('AWS::Lambda::Permission').filter(
      ([, { Principal }]) => Principal === 'apigateway.amazonaws.com',
    );
    expect(permissions).toHaveLength(2);
    // CloudFormation takes 500 resources.
    expect(Object.keys(template.toJSON()['Resources'] as object).length).toBeLessThan(250);
  });

  test('writes down who asked for what, and is throttled', () => {
    expect(one('AWS::ApiGateway::Stage')).toMatchObject({
      AccessLogSetting: { Format: expect.stringContaining('$context.identity.userArn') },
      MethodSettings: [{ ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 }],
    });
  });
});

describe('every alarm', () => {
  test.each(all('AWS::CloudWatch::Alarm'))('%s says what it means for people, and where to read on', (_, alarm) => {
    const [, runbook] = /^[A-Z].*\. Runbook: (\S+\.md)$/.exec(alarm.AlarmDescription) ?? [];
    expect(runbook).toBeDefined();
    expect(existsSync(join(ROOT, String(runbook)))).toBe(true);
    // The emulators refuse metric math.
    expect(alarm['Metrics']).toBeUndefined();
  });

  test('is quiet where nothing is reported, but for the one that asks whether anything ticks', () => {
    const loud = all('AWS::CloudWatch::Alarm').filter(([, alarm]) => alarm['TreatMissingData'] !== 'notBreaching');
    expect(loud.map(([, alarm]) => alarm)).toMatchObject([
      { MetricName: 'Invocations', TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold' },
    ]);
  });
});

describe('the metrics of the functions', () => {
  const own = all('AWS::CloudWatch::Alarm').filter(([, alarm]) => alarm['Namespace'] === 'Sensorium');

  test('have alarms over all queues', () => {
    expect(new Set(own.map(([, alarm]) => alarm['MetricName']))).toEqual(
      new Set([
        'counting_failed',
        'dispatch_failed',
        'oldest_due_ms',
        'poison',
        'rejoined',
        'taken_over',
        'throttled',
        'untold_ms',
      ]),
    );
    for (const [, alarm] of own) expect(alarm['Dimensions']).toBeUndefined();
  });

  test('late is more than two ticks, throttled is for 15 minutes', () => {
    const of = (name: string) => own.find(([, alarm]) => alarm['MetricName'] === name)?.[1];
    expect(of('oldest_due_ms')).toMatchObject({ Threshold: 120_000, Statistic: 'Maximum', EvaluationPeriods: 2 });
    expect(of('throttled')).toMatchObject({ Threshold: 1, Statistic: 'Sum', Period: 300, EvaluationPeriods: 3 });
  });

  test('are all on the dashboard', () => {
    const body = JSON.stringify(one('AWS::CloudWatch::Dashboard')['DashboardBody']);
    for (const name of Object.keys(METRICS)) expect(body).toContain(String.raw`\"${name}\"`);
    expect(body).not.toContain('expression');
  });

  test('have another namespace and another tick where the settings say so, and no dashboard where none is wanted', () => {
    const settings = { metrics_namespace: 'Staging', tick_seconds: 30 };
    const staging = Template.fromStack(stackOf({ dashboard: false, settings }));
    expect(staging.findResources('AWS::CloudWatch::Dashboard')).toEqual({});
    const spaces = all('AWS::CloudWatch::Alarm', staging).map(([, alarm]) => alarm['Namespace']);
    expect(spaces).toContain('Staging');
    expect(spaces).not.toContain('Sensorium');
    const late = all('AWS::CloudWatch::Alarm', staging).find(([, alarm]) => alarm['MetricName'] === 'oldest_due_ms');
    expect(late?.[1]).toMatchObject({ Threshold: 60_000 });
  });
});

describe('in a stack of somebody else', () => {
  const stack = new Stack(newApp(), 'Pipelines');
  new Sensorium(stack, 'Sensorium', { allow: [], alarmTopic: new Topic(stack, 'Topic') });
  const pipelines = Template.fromStack(stack);

  test('every alarm tells the topic when it goes off and when it is over', () => {
    const topic = { Ref: expect.stringContaining('Topic') as unknown };
    for (const [, { AlarmActions, OKActions }] of all('AWS::CloudWatch::Alarm', pipelines)) {
      expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: [topic], OKActions: [topic] });
    }
  });
});

describe('the AWS Solutions rules', () => {
  test('find nothing that is not explained', () => {
    expect(new AwsSolutionsChecks().validateScope(stackOf().node.root).violations).toEqual([]);
  });

  test('find what is wrong', () => {
    const stack = stackOf();
    new Queue(stack, 'Open');
    const { violations } = new AwsSolutionsChecks().validateScope(stack.node.root);
    expect(violations.map(({ ruleName }) => ruleName)).toContain('AwsSolutions-SQS4');
  });
});
