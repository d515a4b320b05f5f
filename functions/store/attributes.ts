import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item, PageKey, Value } from './table.ts';

/** DynamoDB's wire form of an item. */
export type Attributes = Record<string, AttributeValue>;

/** @returns a value in DynamoDB's wire form. Throws for what it cannot hold. */
export function toAttribute(value: Value): AttributeValue {
  return convertToAttr(value);
}

/** @returns an item of the table or of its stream. Throws where it has no key or an attribute is binary or a set. */
export function toItem(attributes: Attributes): Item {
  const item: Readonly<Record<string, unknown>> = unmarshall(attributes);
  if (!isItem(item)) throw new TypeError('not an item of this table');
  return item;
}

/** We write neither binary values nor sets; anything else that DynamoDB holds is a Value once it is unmarshalled. */
function isItem(item: Readonly<Record<string, unknown>>): item is Item {
  return (
    typeof item['pk'] === 'string' &&
    Object.values(item).every((value) => !(value instanceof Set) && !(value instanceof Uint8Array))
  );
}

/** @returns where a query goes on. */
export function toPageKey(attributes: Attributes): PageKey {
  const key: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(toItem(attributes))) {
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${name} is no part of a key`);
    key[name] = value;
  }
  return key;
}

/** @returns a page key in DynamoDB's wire form. */
export function fromPageKey(key: PageKey): Attributes {
  return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, toAttribute(value)]));
}
