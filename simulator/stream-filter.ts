/** What Lambda's filter lets through to a reader of the stream: the deployed patterns, over the memory table's changes. */
import type { TableChange } from '../functions/store/memory-table.ts';
import type { ItemPattern, Rule, StreamPattern } from '../functions/store/stream-patterns.ts';
import { PRIMARY_KEY } from '../functions/store/keys.ts';
import type { Item } from '../functions/store/table.ts';

/** @returns whether a change reaches a reader with these patterns. */
export function reaches(patterns: readonly StreamPattern[], change: TableChange): boolean {
  const name = change.old === undefined ? 'INSERT' : 'MODIFY';
  if (change.new === undefined) return false;
  const keys: Item = { [PRIMARY_KEY]: change.key };
  return patterns.some(({ eventName, dynamodb: { Keys, NewImage, OldImage } }) => {
    if (!eventName.includes(name)) return false;
    return (
      isLike(Keys, keys) && isLike(NewImage, change.new) && (OldImage === undefined || isLike(OldImage, change.old))
    );
  });
}

/** A field that the item has not, or has as another type, matches nothing. */
function isLike(pattern: ItemPattern, item: Item | undefined): boolean {
  return Object.entries(pattern).every(([name, typed]) => {
    const value = item?.[name];
    if ('S' in typed) return typeof value === 'string' && typed.S.some((rule) => matches(rule, value));
    return typeof value === 'boolean' && typed.BOOL.some((rule) => matches(rule, value));
  });
}

function matches(rule: Rule, value: string | boolean): boolean {
  if (typeof rule !== 'object') return rule === value;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  return typeof value === 'string' && !rule['anything-but'].includes(value);
}
