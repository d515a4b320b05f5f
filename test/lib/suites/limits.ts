import { describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Template } from 'aws-cdk-lib/assertions';
import { Rule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { paginate, READING } from '../../../lib/sensor-permissions.ts';
import { measure, overruns } from '../template-limits.ts';
import { newApp, stackOf } from '../stacks.ts';

/** Buckets of 28 characters, each with a prefix: what a company has that names them by team and stage. */
const buckets = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, each) => `arn:aws:s3:::acme-team-${String(each).padStart(4, '0')}-landing-prod/*`);

const EVERYTHING = { allowCancel: true, apiAccountLogRole: true, events: true, dashboard: true } as const;

/** Up to here the policies of a role have room. */
function most(): number {
  let count = 600;
  while (paginate(READING, buckets(count + 1)).length <= 10) count += 1;
  return count;
}

describe('the template is what AWS takes', () => {
  test.each([1, 60, 86, 200, 600])('with %i buckets in allow', (count) => {
    expect(overruns(Template.fromStack(stackOf({ ...EVERYTHING, allow: buckets(count) })))).toEqual([]);
  });

  test('with as many buckets as there is room for, and says so where there is one too many', () => {
    const count = most();
    expect(overruns(Template.fromStack(stackOf({ ...EVERYTHING, allow: buckets(count) })))).toEqual([]);
    expect(() => stackOf({ ...EVERYTHING, allow: buckets(count + 1) })).toThrow(
      `allow: its ${count + 1} ARN patterns take 11 managed policies, and a role has 10 at most; ` +
        'open several buckets by one pattern, such as arn:aws:s3:::team-*',
    );
  });

  test('with everything in allow, and with a prefix of its own in each bucket', () => {
    const prefixes = buckets(300).map((arn, each) => arn.replace('/*', `/in/source-${each}/*`));
    for (const allow of [['*'], prefixes]) {
      expect(overruns(Template.fromStack(stackOf({ ...EVERYTHING, allow })))).toEqual([]);
    }
  });

  test('in a stack of the longest name', () => {
    const stack = stackOf({ ...EVERYTHING, allow: buckets(60) }, `S${'x'.repeat(127)}`);
    expect(stack.stackName).toHaveLength(128);
    expect(overruns(Template.fromStack(stack))).toEqual([]);
  });
});

describe('the measure itself', () => {
  const over = (build: (stack: Stack) => void): readonly string[] => {
    const stack = new Stack(newApp(), 'Other');
    build(stack);
    return overruns(Template.fromStack(stack)).map(({ what, size, limit }) => `${what}: ${size} of ${limit}`);
  };
  const statement = (characters: number): PolicyStatement =>
    new PolicyStatement({ actions: ['s3:GetObject'], resources: [`arn:aws:s3:::${'b'.repeat(characters)}`] });
  const assumedBy = new ServicePrincipal('lambda.amazonaws.com');

  test('finds what is too long for a policy, in one or in all of a role', () => {
    expect(
      over((stack) => {
        const role = new Role(stack, 'Role', { assumedBy });
        for (const each of [1, 2]) {
          new Policy(stack, `Inline${each}`, { statements: [statement(5200)] }).attachToRole(role);
        }
        new ManagedPolicy(stack, 'Managed', { statements: [statement(6100)] });
      }),
    ).toEqual([
      expect.stringMatching(/^PolicyDocument of Managed\w+: 62\d\d of 6144$/u),
      expect.stringMatching(/^policies inside Role\w+: 10\d\d\d of 10240$/u),
    ]);
  });

  test('finds two path variables under one parent', () => {
    expect(
      over((stack) => {
        const { root } = new RestApi(stack, 'Api', { cloudWatchRole: false });
        const queues = root.addResource('queues');
        queues.addResource('{name}').addMethod('GET');
        queues.addResource('{queue}').addMethod('GET');
      }),
    ).toEqual([expect.stringMatching(/^path variables of .*queues.*: 2 of 1$/u)]);
  });

  test('finds an event pattern that is too long', () => {
    const source = Array.from({ length: 100 }, (_, each) => `source-of-events-${each}`);
    expect(over((stack) => void new Rule(stack, 'Rule', { eventPattern: { source } }))).toEqual([
      expect.stringMatching(/^EventPattern of Rule\w+: 2\d\d\d of 2048$/u),
    ]);
  });

  test('counts what CloudFormation fills in, as long as it may be', () => {
    const sizes = new Map(measure(Template.fromStack(stackOf())).map(({ what, size }) => [what, size]));
    const [, inside] = [...sizes].find(([what]) => what.startsWith('policies inside SensoriumApiFunctionRole'))!;
    // The name of the table has 255 characters, and stands there three times.
    expect(inside).toBeGreaterThan(3 * 255);
  });
});
