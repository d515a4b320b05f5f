import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { readEvent } from '../../../functions/sensors/aws-events.ts';
import { stackOf, template } from '../stacks.ts';
import { all, allowed, one } from '../templates.ts';

interface RuleProperties {
  readonly EventPattern: Readonly<Record<string, readonly string[]>> & {
    readonly detail?: { readonly state?: string[] };
  };
  readonly EventBusName?: unknown;
}

const rules = all('AWS::Events::Rule')
  .filter(([id]) => id.includes('Accelerator'))
  .map(([, properties]) => properties as unknown as RuleProperties & { readonly Targets: unknown });

describe('events of S3 and EMR', () => {
  test('come from the default bus, those that end a wait and no others', () => {
    expect(rules.map(({ EventPattern }) => EventPattern)).toEqual([
      { source: ['aws.s3'], 'detail-type': ['Object Created'], detail: { bucket: { name: ['landing'] } } },
      {
        source: ['aws.emr'],
        'detail-type': ['EMR Step Status Change'],
        detail: { state: ['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED'] },
      },
      { source: ['aws.emr'], 'detail-type': ['EMR Cluster State Change'] },
    ]);
    for (const { EventBusName } of rules) expect(EventBusName).toBeUndefined();
  });

  test('come of the keys that are allowed, and from no other object of their bucket', () => {
    const allow = ['arn:aws:s3:::landing/in/*', 'arn:aws:s3:::models/*'];
    const patterns = all('AWS::Events::Rule', Template.fromStack(stackOf({ allow })))
      .filter(([id]) => id.includes('Objects'))
      .map(([, { EventPattern }]) => (EventPattern as { readonly detail: unknown }).detail);
    expect(patterns).toEqual([
      { bucket: { name: ['models'] } },
      { bucket: { name: ['landing'] }, object: { key: [{ prefix: 'in/' }] } },
    ]);
  });

  test('may reach function and queue by one statement each, however many rules there are, and from no other rule', () => {
    const many = Template.fromStack(
      stackOf({ allow: Array.from({ length: 200 }, (_, each) => `arn:aws:s3:::landing-of-team-${each}/*`) }),
    );
    const ours = all('AWS::Events::Rule', many).filter(([id]) => id.includes('Accelerator'));
    expect(ours.length).toBeGreaterThan(4);
    const [, permission, ...more] = all('AWS::Lambda::Permission', many)
      .filter(([id]) => id.includes('Accelerator'))
      .flat();
    expect(more).toEqual([]);
    const queue = one('AWS::SQS::QueuePolicy', 'AcceleratorFailures', many).PolicyDocument.Statement;
    expect(queue).toHaveLength(2);
    const family = /:rule\/(\w+-)\*/u.exec(JSON.stringify(permission))?.[1];
    expect(JSON.stringify(queue[1])).toContain(`:rule/${family}*`);
    for (const [, { Name }] of ours) expect(Name).toMatch(new RegExp(`^${family}(Objects\\d+|Steps|Clusters)$`, 'u'));
  });

  test('are all understood by the function', () => {
    const names = { bucket: { name: 'b' }, object: { key: 'k' }, clusterId: 'j-1', stepId: 's-1' };
    for (const { EventPattern } of rules) {
      const [state = 'WAITING'] = EventPattern.detail?.state ?? [];
      const event = {
        id: 'e',
        source: EventPattern['source']?.[0],
        'detail-type': EventPattern['detail-type']?.[0],
        detail: { ...names, state },
      };
      expect(readEvent(event)).toBeDefined();
    }
  });

  test('are tried three times within five minutes, and then kept as dead letters, wherever they fail', () => {
    for (const { Targets } of rules) {
      expect(Targets).toMatchObject([
        {
          RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 300 },
          DeadLetterConfig: { Arn: expect.anything() },
        },
      ]);
    }
    const [, config] = all('AWS::Lambda::EventInvokeConfig').find(([id]) => id.includes('Accelerator'))!;
    expect(config).toMatchObject({
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 300,
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
  });

  test('find targets by one query, and hand them to who pokes them; the function can read and write nothing else', () => {
    const actions = allowed('Events');
    expect(Object.keys(actions).toSorted()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
      'lambda:InvokeFunction',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:SendMessage',
    ]);
    expect(actions['dynamodb:Query']).toContain('state-index');
    const { Variables } = one('AWS::Lambda::Function', 'Events').Environment;
    expect(JSON.stringify(Variables['SHARD_WORKER_NAME'])).toContain('FirstPoke');
  });

  test('can be switched off, and nothing of it is left', () => {
    const off = JSON.stringify(Template.fromStack(stackOf({ events: false })).toJSON());
    expect(JSON.stringify(template.toJSON())).toContain('event-failures');
    expect(off).not.toMatch(/Accelerator|event-failures|aws\.s3/);
  });
});
