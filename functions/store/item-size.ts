import type { Item, Value } from './table.ts';

/** DynamoDB refuses larger items. */
export const MAX_ITEM_BYTES = 400 * 1024;

/**
 * @returns the size of an item in bytes as DynamoDB counts it for limits and capacity: names and texts in UTF-8, a number
 * about a byte per two digits, 3 bytes for a map or list and 1 for each of its elements.
 */
export function itemBytes(item: Item): number {
  return fieldsBytes(item);
}

function fieldsBytes(fields: Readonly<Record<string, Value>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(fields)) bytes += textBytes(name) + valueBytes(value);
  return bytes;
}

function valueBytes(value: Value): number {
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (isList(value)) return value.reduce<number>((sum, element) => sum + 1 + valueBytes(element), 3);
  return 3 + Object.keys(value).length + fieldsBytes(value);
}

function numberBytes(value: number): number {
  const digits = Math.abs(value)
    .toExponential()
    .replace(/e.*$|\./g, '').length;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
