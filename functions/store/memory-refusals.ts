/** Requests that DynamoDB refuses, whatever stands in the table; each check throws a TableError. */
import { isStorableKey, isStorableNumber } from './storable.ts';
import type { BatchUpdate, Condition, Item, Query } from './table.ts';
import { TableError } from './table.ts';

export function checkKey(key: string): void {
  if (!isStorableKey(key)) throw new TableError(`a key has 1 to 2,048 bytes: ${key.slice(0, 50)}`);
}

export function checkCondition(condition: Condition): void {
  for (const part of condition) {
    const clauses = 'any' in part ? part.any : [part];
    if (clauses.length === 0) throw new TableError('a condition has no alternatives');
    for (const clause of clauses) if ('value' in clause) checkNumber(clause.value);
  }
}

export function checkStatement({ key, change: { set = {}, remove = [] } }: BatchUpdate): void {
  if (remove.length === 0 && Object.keys(set).length === 0) throw new TableError(`${key}: a statement changes nothing`);
}

/** @param old the item that a statement changes, its condition holds */
export function checkRemovals({ key, change: { remove = [] } }: BatchUpdate, old: Item | undefined): void {
  const missing = old === undefined ? undefined : remove.find((name) => !(name in old));
  if (missing !== undefined) throw new TableError(`${key}: a statement removes ${missing}, which is not there`);
}

export function checkQuery({ partition, from = 0, to = 0, limit = 1 }: Query): void {
  checkKey(partition);
  checkNumber(from);
  checkNumber(to);
  if (limit < 1) throw new TableError('a page has at least one item');
}

function checkNumber(value: string | number | boolean): void {
  if (typeof value === 'number' && !isStorableNumber(value)) throw new TableError(`${value} is no number of a table`);
}
