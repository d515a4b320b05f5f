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

interface PolicyProperties {
  readonly PolicyDocument: unknown;
  readonly Roles?: readonly { readonly Ref: string }[];
}

interface RoleProperties {
  /** `Ref` where they are the template's own. */
  readonly ManagedPolicyArns?: readonly { readonly Ref?: string }[];
}

/** @returns the policies of each role of the template that has any of its own, by the role's logical id. */
export function policiesOf(template: Template): ReadonlyMap<string, readonly Policy[]> {
  const filled = resolver(template);
  const documents = (
    type: string,
  ): readonly (readonly [id: string, roles: readonly { readonly Ref: string }[], Policy])[] =>
    Object.entries(template.findResources(type)).map(([id, { Properties }]) => {
      const { PolicyDocument, Roles = [] } = Properties as PolicyProperties;
      return [id, Roles, filled(PolicyDocument) as Policy];
    });
  const inline = documents('AWS::IAM::Policy');
  const managed = documents('AWS::IAM::ManagedPolicy');
  return new Map(
    Object.entries(template.findResources('AWS::IAM::Role')).flatMap(([role, { Properties }]) => {
      const { ManagedPolicyArns = [] } = Properties as RoleProperties;
      const policies = [
        ...inline.filter(([, Roles]) => Roles.some(({ Ref }) => Ref === role)),
        ...managed.filter(([id]) => ManagedPolicyArns.some(({ Ref }) => Ref === id)),
      ];
      return policies.length === 0 ? [] : [[role, policies.map(([, , policy]) => policy)] as const];
    }),
  );
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
