import { KINDS } from './list.ts';
import type { Permission } from './sensor.ts';

/** What the sensors call and need, as data: for the roles, the default budgets and the docs. Loads no SDK. */
export interface SensorNeeds {
  readonly type: string;
  readonly operations: readonly string[];
  readonly permissions: readonly Permission[];
  /** What ending the watched work needs besides; the operator opts in to it. */
  readonly cancelling: readonly Permission[];
}

export const SENSOR_NEEDS: readonly SensorNeeds[] = KINDS.map(({ type, operations, permissions, cancelling }) => ({
  type,
  operations,
  permissions,
  cancelling: cancelling?.permissions ?? [],
}));

/** Of an ARN, the parts before the resource: `arn:partition:service:region:account`. */
const HEAD = 5;
/** Partition, Region and account. */
const OWN: ReadonlySet<number> = new Set([1, 3, 4]);

/**
 * Whether the operator's `allow` opens a resource. `*` and `?` as in IAM, each within one part between colons.
 * - `*` as the resource's partition, Region or account means the service's own: an allowed ARN may name it, and the role
 *   holds it.
 * - Elsewhere a pattern in the resource must lie within the allowed one: `landing/*` opens `landing/*.csv`, not the reverse.
 */
export function isAllowed(resource: string, allow: readonly string[]): boolean {
  const asked = partsOf(resource);
  return allow.some((pattern) => {
    if (pattern === '*') return true;
    const open = partsOf(pattern);
    return asked.every((part, index) => {
      const isOwn = part === '*' && OWN.has(index);
      return isOwn || covers(open[index] ?? '', part);
    });
  });
}

function partsOf(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, HEAD), parts.slice(HEAD).join(':')];
}

/** Whether all that `text` stands for fits `pattern`: a `*` in the text is covered by a `*` alone, a `?` by both. */
export function covers(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const sign = pattern[from];
    if (sign === '*') {
      star = from;
      resume = at;
      from += 1;
    } else if (sign === text[at] || (sign === '?' && text[at] !== '*')) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      from = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/u.test(pattern.slice(from));
}
