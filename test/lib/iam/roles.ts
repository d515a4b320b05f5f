// The roles of a template with all that they may do, and a judge who is not ours.
import { resolve } from 'node:path';
import { runUnsafeSimulation } from '@cloud-copilot/iam-simulate';
import type { Template } from 'aws-cdk-lib/assertions';
import { PLACE, PRINCIPAL, resolver } from './resolve.ts';

/** Who may do what, as it was when somebody last looked. */
export const REFERENCE_FILE = resolve(import.meta.dirname, 'policies.json');

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

export interface Policy {
  readonly Version: string;
  readonly Statement: readonly Statement[];
}

const POLICIES = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];

interface PolicyProperties {
  readonly PolicyDocument: unknown;
  readonly Roles: readonly { readonly Ref: string }[];
}

/** @returns the policies of each role of the template that has any, by the role's logical id. */
export function policiesOf(template: Template): ReadonlyMap<string, readonly Policy[]> {
  const filled = resolver(template);
  const found = new Map<string, Policy[]>();
  for (const type of POLICIES) {
    for (const { Properties } of Object.values(template.findResources(type))) {
      const { PolicyDocument, Roles } = Properties as PolicyProperties;
      for (const { Ref } of Roles) found.set(Ref, [...(found.get(Ref) ?? []), filled(PolicyDocument) as Policy]);
    }
  }
  return found;
}

/** What a role may do, one line a permission, in order: `dynamodb:GetItem on arn:aws:...`. */
export function permissionsOf(policies: readonly Policy[]): readonly string[] {
  const lines = policies.flatMap(({ Statement }) =>
    Statement.flatMap(({ Effect, Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((arn) => `${Effect === 'Allow' ? '' : 'not '}${action} on ${arn}`)),
    ),
  );
  return [...new Set(lines)].toSorted();
}

export type Judge = (action: string, arn: string) => boolean;

/** @returns who says whether these policies of a role allow something; each question is judged once. */
export function judgeOf(policies: readonly Policy[]): Judge {
  const known = new Map<string, boolean>();
  const identityPolicies = policies.map((policy, index) => ({ name: String(index), policy }));
  return (action, arn) => {
    const asked = `${action} ${arn}`;
    const before = known.get(asked);
    if (before !== undefined) return before;
    const request = {
      principal: PRINCIPAL,
      action,
      resource: { resource: arn, accountId: PLACE.account },
      contextVariables: {},
    };
    const policies = { identityPolicies, serviceControlPolicies: [], resourceControlPolicies: [] };
    const isAllowed = runUnsafeSimulation({ request, ...policies }, {}) === 'Allowed';
    known.set(asked, isAllowed);
    return isAllowed;
  };
}
