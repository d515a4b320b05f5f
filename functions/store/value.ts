import { isStorableNumber } from './storable.ts';
import type { Value } from './table.ts';

/**
 * @returns the value as the table keeps it: a copy, without fields that are undefined.
 * Throws a TypeError for what a table cannot hold (functions, NaN, 1e-200, class instances, ...): a defect of the caller.
 */
export function toValue(input: unknown): Value {
  switch (typeof input) {
    case 'string':
    case 'boolean':
      return input;
    case 'number':
      if (isStorableNumber(input)) return input;
      break;
    case 'object':
      if (input === null) return null;
      if (Array.isArray(input)) return input.map(toValue);
      if (isPlain(input)) return toAttributes(input);
      break;
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      break;
  }
  throw new TypeError(`the table cannot hold ${typeof input === 'number' ? input : typeof input}`);
}

/** @returns the fields of a record as attributes, those that are undefined left out. */
export function toAttributes(record: object): Record<string, Value> {
  const attributes: Record<string, Value> = {};
  const fields: [string, unknown][] = Object.entries(record);
  for (const [name, field] of fields) {
    if (field !== undefined) attributes[name] = toValue(field);
  }
  return attributes;
}

function isPlain(input: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null;
}
