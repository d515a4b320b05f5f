// What the grants of the API open: which paths, and what IAM makes of them.
import { describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { ROUTES, withQueues } from '../../../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../../../functions/execution-api/routes.ts';
import { Sensorium } from '../../../lib/sensorium.ts';
import { arnOf } from '../iam/resolve.ts';
import { judgeOf, permissionsOf, policiesOf } from '../iam/roles.ts';
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

const policies = policiesOf(template);
const [api = ''] = Object.keys(template.findResources('AWS::ApiGateway::RestApi'));
const API = arnOf('execute-api', api);

/** The policies of the role that was made under this name. */
const of = (name: string) => [...policies].flatMap(([id, own]) => (id.startsWith(name) ? own : []));

/** What a role may invoke, each as `<stage>/<method>/<path>`: what follows the API's id in an ARN. */
function openedTo(name: string): readonly string[] {
  const start = `execute-api:Invoke on ${API}/`;
  return permissionsOf(of(name)).map((line) => (line.startsWith(start) ? line.slice(start.length) : line));
}

/** @returns whether IAM lets a role ask this, as somebody reads policies who is not ours. */
function askerOf(name: string): (text: string) => boolean {
  const judge = judgeOf(of(name));
  return (text) => judge('execute-api:Invoke', `${API}/${text}`);
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
    const may = askerOf(`${right}All`);
    for (const { text, right: own } of REQUESTS) expect([text, may(text)]).toEqual([text, own === right]);
    expect(may('live/POST/v1/estimate')).toBe(false);
  });

  test.each(RIGHTS)('%s that is limited to a queue opens its routes below that queue, and no others', (right) => {
    const may = askerOf(`${right}One`);
    for (const { text, right: own, queue } of REQUESTS) {
      expect([text, may(text)]).toEqual([text, own === right && queue === QUEUE]);
    }
    expect(may(`other/GET/v1/queues/${QUEUE}`)).toBe(false);
  });

  test('is a few lines of a policy', () => {
    expect(Object.fromEntries(RIGHTS.map((right) => [right, openedTo(`${right}One`)]))).toEqual({
      Submit: ['live/POST/v1/queues/team-a/tasks'],
      Read: ['live/GET/v1/queues/team-a', 'live/GET/v1/queues/team-a/tasks', 'live/GET/v1/queues/team-a/tasks/*'],
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
