// What the grants of the API open: which paths, and what IAM makes of them.
import { describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { ROUTES, withQueues } from '../../../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../../../functions/execution-api/routes.ts';
import { Sensorium } from '../../../lib/sensorium.ts';
import { newApp } from '../stacks.ts';
import { one } from '../templates.ts';

const stack = new Stack(newApp(), 'Pipelines');
const service = new Sensorium(stack, 'Sensorium', { allow: [] });
const role = (name: string): Role => new Role(stack, name, { assumedBy: new AccountPrincipal('111122223333') });

let ids = 0;
const fresh = (): string => `Fresh${(ids += 1)}`;

const QUEUE = 'team-a';
const RIGHTS = ['Submit', 'Read', 'Operate', 'Execute'] as const;
type Right = (typeof RIGHTS)[number];

for (const right of RIGHTS) {
  service[`grant${right}`](role(`${right}All`));
  service[`grant${right}`](role(`${right}One`), { queue: QUEUE });
}
service.submitAndWaitIn(QUEUE).grantStartExecution(role('StartOne'));
const template = Template.fromStack(stack);

/** What a role may invoke, each as `<stage>/<method>/<path>`: what follows the API's id in an ARN. */
function openedTo(name: string): readonly string[] {
  const { Statement: statements } = one('AWS::IAM::Policy', name, template).PolicyDocument;
  expect(statements).toMatchObject([{ Action: 'execute-api:Invoke', Effect: 'Allow' }]);
  const arns = statements.flatMap(({ Resource }) => [Resource].flat());
  return arns.map((arn) => {
    const {
      'Fn::Join': [, parts],
    } = arn as { 'Fn::Join': [string, (string | object)[]] };
    const words = parts.map((part) => (typeof part === 'string' ? part : '<>'));
    // Partition, Region, account and the API's id, and nothing else that is not written out.
    const [, path] = /^arn:<>:execute-api:<>:<>:<>\/([^<>]*)$/.exec(words.join('')) ?? [];
    expect(JSON.stringify(arn)).toContain('"Ref":"SensoriumApi');
    return path ?? `not an ARN of the API: ${words.join('')}`;
  });
}

/** As IAM compares: a `*` is any text, slashes included; case counts. */
function matches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
  });
}

/** Whom a route is for. */
function rightOf({ of, method }: { readonly of: string; readonly method: string }): Right | undefined {
  if (of === 'submitTasks') return 'Submit';
  if (method === 'GET') return 'Read';
  if (['clearTask', 'markTask', 'removeTask', 'putQueue'].includes(of)) return 'Operate';
  return EXECUTION_ROUTES.some(({ id }) => id === of) ? 'Execute' : undefined;
}

/** Every route, with queues and ids that look like another's: raw in the path, and as they would be when decoded. */
const QUEUES = [QUEUE, 'team-b', 'team', 'team-', 'team-a1', 'team-a.b', 'team-a-tasks', 'TEAM-A', 'tasks', 'queues'];
const IDS = ['x', 'x:y', 'x~1', 'tasks', 'team-a', `GET/v1/queues/${QUEUE}/tasks/x`, `x/../../../${QUEUE}/tasks/x`];
const REQUESTS = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)].flatMap((route) =>
  (route.path.includes('{name}') ? QUEUES : ['']).flatMap((queue) =>
    (route.path.includes('{id}') ? IDS : ['']).map((id) => ({
      right: rightOf(route),
      queue,
      text: `live/${route.method}${route.path.replace('{name}', queue).replace('{id}', id)}`,
    })),
  ),
);

describe('a grant', () => {
  test.each(RIGHTS)('%s opens its routes of all queues, and no others', (right) => {
    const patterns = openedTo(`${right}All`);
    for (const { text, right: own } of REQUESTS) expect([text, matches(patterns, text)]).toEqual([text, own === right]);
    expect(matches(patterns, 'live/POST/v1/estimate')).toBe(false);
  });

  test.each(RIGHTS)('%s that is limited to a queue opens its routes below that queue, and no others', (right) => {
    const patterns = openedTo(`${right}One`);
    for (const { text, right: own, queue } of REQUESTS) {
      expect([text, matches(patterns, text)]).toEqual([text, own === right && queue === QUEUE]);
    }
    expect(matches(patterns, `other/GET/v1/queues/${QUEUE}`)).toBe(false);
  });

  test('is a few lines of a policy', () => {
    expect(Object.fromEntries(RIGHTS.map((right) => [right, openedTo(`${right}One`)]))).toEqual({
      Submit: ['live/POST/v1/queues/team-a/tasks'],
      Read: ['live/GET/v1/queues/team-a/tasks', 'live/GET/v1/queues/team-a/tasks/*', 'live/GET/v1/queues/team-a'],
      Operate: [
        'live/DELETE/v1/queues/team-a/tasks/*',
        'live/POST/v1/queues/team-a/tasks/*/clear',
        'live/POST/v1/queues/team-a/tasks/*/mark',
        'live/PUT/v1/queues/team-a',
      ],
      Execute: [
        'live/PATCH/execution/queues/team-a/task-instances/*/run',
        'live/PATCH/execution/queues/team-a/task-instances/*/state',
        'live/PUT/execution/queues/team-a/task-instances/*/heartbeat',
      ],
    });
    const lines = RIGHTS.map((right) => openedTo(`${right}All`).length);
    expect(Math.max(...lines)).toBeLessThanOrEqual(7);
  });

  test.each(['', 'a/b', 'team-*', '*', '?', '..', 'a b', 'a%2Fb', '${aws:username}', 'a'.repeat(65)])(
    'is refused for %j, which is the name of no queue',
    (queue) => {
      for (const right of RIGHTS) {
        expect(() => service[`grant${right}`](role(fresh()), { queue })).toThrow(/^queue is ".*"; it must be 1 to 64 /);
      }
      expect(() => service.submitAndWaitIn(queue)).toThrow('it must be 1 to 64');
      expect(() => service.waitFor(stack, fresh(), { task: {}, queue })).toThrow('it must be 1 to 64');
    },
  );

  test('to start the state machine of a queue starts no other', () => {
    const { Statement: statements } = one('AWS::IAM::Policy', 'StartOne', template).PolicyDocument;
    expect(statements).toMatchObject([
      { Action: 'states:StartExecution', Resource: { Ref: expect.stringContaining('Queueteama') as unknown } },
    ]);
  });
});
