import { readFileSync } from 'node:fs';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import fc from 'fast-check';
import { INTENT, intended, ownOf } from '../iam/intent.ts';
import type { Opened } from '../iam/intent.ts';
import { questions } from '../iam/pairs.ts';
import { PLACE, PRINCIPAL } from '../iam/resolve.ts';
import { judgeOf, permissionsOf, policiesOf, REFERENCE_FILE } from '../iam/roles.ts';
import { stackOf, template } from '../stacks.ts';

const REFERENCE = JSON.parse(readFileSync(REFERENCE_FILE, 'utf8')) as Readonly<Record<string, readonly string[]>>;

const CLUSTERS = 'arn:aws:elasticmapreduce:eu-west-1:111122223333:cluster/';

/** What is opened, in words and twice in ARNs, and how many questions are asked of each role. */
const CASES: readonly (readonly [name: string, opened: Opened, template: Template, questions: number])[] = [
  [
    'a bucket, the beginning of another, one cluster',
    {
      keys: [
        ['landing', ''],
        ['mixed', 'in/'],
      ],
      clusters: [`${CLUSTERS}j-ABC`],
    },
    Template.fromStack(stackOf({ allow: ['arn:aws:s3:::landing/*', 'arn:aws:s3:::mixed/in/*', `${CLUSTERS}j-ABC`] })),
    10_000,
  ],
  [
    'all clusters of the account, which may be ended',
    { keys: [], clusters: [CLUSTERS], cancel: true },
    Template.fromStack(stackOf({ allow: [`${CLUSTERS}*`], allowCancel: true })),
    2_000,
  ],
  ['nothing', { keys: [], clusters: [] }, Template.fromStack(stackOf({ allow: [] })), 2_000],
];

describe.each(CASES)('where the operator opens %s', (_, opened, template, numRuns) => {
  const own = ownOf(template);
  const policies = policiesOf(template);

  test('there is an intent for each role that has a policy, and no other', () => {
    for (const id of policies.keys()) expect(Object.keys(INTENT).filter((name) => id.includes(name))).toHaveLength(1);
    expect(policies.size).toBe(Object.keys(INTENT).length);
  });

  test.each(Object.keys(INTENT))('%s may do what it is meant to, and nothing else', (role) => {
    const [id] = [...policies.keys()].filter((name) => name.includes(role));
    const judge = judgeOf(policies.get(id ?? '') ?? []);
    const isMeant = intended(role, own, opened);
    let allowed = 0;
    const holds = fc.property(questions(template, opened), ([action, arn]) => {
      if (isMeant(action, arn)) allowed += 1;
      return judge(action, arn) === isMeant(action, arn);
    });
    fc.assert(holds, { seed: 1, numRuns });
    // A question that nobody asks proves nothing.
    expect(allowed).toBeGreaterThan(0);
  });
});

/** Step Functions asks about the state machine all the same, though its reference names no resource (docs/facts.md). */
const UNLISTED = ['states:SendTaskSuccess', 'states:SendTaskFailure'];

/** @returns why AWS's own tables of actions and resources know nothing of such a permission; undefined where they do. */
async function faultOf(action: string, pattern: string): Promise<string | undefined> {
  // One of those that a pattern stands for.
  const one = pattern.replace(/(?<=:log-group:[^:]+:)\*$/, 'log-stream:one').replace(/(?<=.)\*$/, 'one');
  const resource = UNLISTED.includes(action) ? '*' : one;
  const request = {
    principal: PRINCIPAL,
    action,
    resource: { resource, accountId: PLACE.account },
    contextVariables: {},
  };
  const nothing = { identityPolicies: [], serviceControlPolicies: [], resourceControlPolicies: [] };
  const found = await runSimulation({ request, ...nothing }, {});
  return found.resultType === 'error' ? `${action} on ${pattern}: ${found.errors.message}` : undefined;
}

test('each statement of each role has actions that are there and take such a resource', async () => {
  const statements = [...policiesOf(CASES[0]![2]).values()].flat().flatMap(({ Statement }) => Statement);
  const faults = statements.flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap((action) => [Resource].flat().map(async (resource) => faultOf(action, resource))),
  );
  expect(faults.length).toBeGreaterThan(100);
  expect((await Promise.all(faults)).filter(Boolean)).toEqual([]);
});

describe('the reference of who may do what', () => {
  const found = [...policiesOf(template)].map(([id, policies]) => [id, permissionsOf(policies)] as const);

  test.each(found)('%s has no permission that it does not name', (id, permissions) => {
    expect(permissions.filter((one) => !(REFERENCE[id] ?? []).includes(one))).toEqual([]);
  });

  test('names none that is gone (`npm run policies` writes it anew: read the difference)', () => {
    expect(REFERENCE).toEqual(Object.fromEntries(found));
  });
});
