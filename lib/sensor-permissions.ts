import { SENSOR_NEEDS } from '../functions/sensors/permissions.ts';
import type { SensorNeeds } from '../functions/sensors/permissions.ts';
import { intersect } from './arn-pattern.ts';

/** Actions and the resources that they are allowed on. */
export type Statement = SensorNeeds['permissions'][number];

/**
 * Characters of a managed policy, without white space; AWS takes 6,144.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const MAX_CHARACTERS = 6000;

/** The longest name of a partition takes the place of `*`. */
const PARTITION = 'aws-us-gov';

/** What the pokes of all sensors need. */
export const READING: readonly Statement[] = SENSOR_NEEDS.flatMap(({ permissions }) => permissions);

/** What ending the watched work needs. */
export const ENDING: readonly Statement[] = SENSOR_NEEDS.flatMap(({ cancelling }) => cancelling);

/** What a pattern of `allow` opens of each need, in their order. */
type Share = readonly (readonly string[])[];

function open(needs: readonly Statement[], pattern: string): Share {
  return needs.map(({ resources }) => resources.flatMap((wanted) => intersect(wanted, pattern) ?? []));
}

/** @returns the needs, each on what is opened of it; one of which nothing is open is left out. */
function join(needs: readonly Statement[], opened: readonly Share[]): readonly Statement[] {
  return needs.flatMap(({ actions }, index) => {
    const resources = [...new Set(opened.flatMap((each) => each[index] ?? []))];
    return resources.length === 0 ? [] : [{ actions, resources }];
  });
}

/** @returns the needs, each on what the operator's patterns open of it; one of which nothing is open is left out. */
export function narrow(needs: readonly Statement[], allow: readonly string[]): readonly Statement[] {
  return join(
    needs,
    allow.map((pattern) => open(needs, pattern)),
  );
}

/**
 * The narrowed needs as the statements of managed policies. Each policy is of some patterns in their order: where one is
 * added at the end of `allow`, all policies but the last stay as they are.
 */
export function paginate(needs: readonly Statement[], allow: readonly string[]): readonly (readonly Statement[])[] {
  const pages: (readonly Statement[])[] = [];
  let page: Share[] = [];
  for (const pattern of allow) {
    const opened = open(needs, pattern);
    if (size(join(needs, [...page, opened])) > MAX_CHARACTERS) {
      pages.push(join(needs, page));
      page = [];
    }
    page.push(opened);
  }
  return [...pages, join(needs, page)].filter((statements) => statements.length > 0);
}

/** As AWS counts a policy of these statements. */
function size(statements: readonly Statement[]): number {
  const Statement = statements.map(({ actions: Action, resources: Resource }) => ({
    Effect: 'Allow',
    Action,
    Resource,
  }));
  return JSON.stringify({ Version: '2012-10-17', Statement }).replaceAll('"arn:*:', `"arn:${PARTITION}:`).length;
}
