import { covers } from '../functions/sensors/permissions.ts';

/** A matcher of EventBridge. */
export type NameMatcher = string | { readonly prefix: string };

const SERVICE = 2;
const RESOURCE = 5;

/**
 * Of which buckets events are of use: those that the allowed ARN patterns open, by name or by the beginning of it.
 * @returns undefined where a pattern opens buckets of any name
 */
export function bucketMatchers(allow: readonly string[]): readonly NameMatcher[] | undefined {
  const matchers = new Map<string, NameMatcher>();
  for (const pattern of allow) {
    if (pattern === '*') return undefined;
    const parts = pattern.split(':');
    if (!covers(parts[SERVICE] ?? '', 's3')) continue;
    const [bucket = ''] = parts.slice(RESOURCE).join(':').split('/');
    const open = bucket.search(/[*?]/);
    if (open === 0) return undefined;
    matchers.set(bucket, open < 0 ? bucket : { prefix: bucket.slice(0, open) });
  }
  return [...matchers.values()];
}
