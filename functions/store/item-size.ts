import type { Item, Value } from './table.ts';

/** DynamoDB refuses larger items. */
const MAX_ITEM_BYTES = 400 * 1024;

/**
 * @returns the size of an item in bytes as DynamoDB counts it for limits and capacity: names and texts in UTF-8, a number
 * about a byte per two digits, 3 bytes for a map or list and 1 for each of its elements.
 */
export function itemBytes(item: Item): number {
  return fieldsBytes(item);
}

/** @returns whether DynamoDB would refuse the item. Most are so small that an estimate says so, at a fifth of the cost. */
export function isTooLarge(item: Item): boolean {
  return mostBytes(item) > MAX_ITEM_BYTES && itemBytes(item) > MAX_ITEM_BYTES;
}

/** @returns no less than the bytes of a value: a UTF-16 unit is at most 3 bytes of UTF-8, a number at most 11. */
function mostBytes(value: Value): number {
  if (typeof value === 'string') return 3 * value.length;
  if (typeof value !== 'object' || value === null) return 11;
  let bytes = 3;
  if (isList(value)) for (const element of value) bytes += 1 + mostBytes(element);
  else for (const name of Object.keys(value)) bytes += 1 + 3 * name.length + mostBytes(value[name] ?? null);
  return bytes;
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
  return Math.ceil(digitsOf(Math.abs(value)) / 2) + 1 + (value < 0 ? 1 : 0);
}

/** @returns how many digits a number has without the zeros at its ends; 1 for 0. */
function digitsOf(value: number): number {
  if (!Number.isSafeInteger(value)) return value.toExponential().replace(/e.*$|\./g, '').length;
  let rest = value;
  while (rest >= 10 && rest % 10 === 0) rest /= 10;
  let digits = 1;
  while (rest >= 10) {
    rest = Math.floor(rest / 10);
    digits += 1;
  }
  return digits;
}

function textBytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
