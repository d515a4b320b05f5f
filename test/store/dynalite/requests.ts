/** Statements as requests of the item API. */
import type { AttributeValue, PutItemCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Insert, UpdateStatement } from './statement.ts';

/** @returns the put that an insert means. */
export function putRequest({ table, item }: Insert): PutItemCommandInput {
  return { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' };
}

/**
 * @param only what of the statement is asked for: all of it, or its condition alone
 * @returns the update that a statement means. Of all of it the condition is, too, that what it removes is there.
 */
export function updateRequest(statement: UpdateStatement, only: 'all' | 'condition'): UpdateItemCommandInput {
  const { table, key, set, remove, condition } = statement;
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const name = (attribute: string): string => {
    const alias = `#n${Object.keys(names).length}`;
    names[alias] = attribute;
    return alias;
  };
  const value = (given: AttributeValue): string => {
    const alias = `:v${Object.keys(values).length}`;
    values[alias] = given;
    return alias;
  };
  const there = (attribute: string) => `attribute_exists(${name(attribute)})`;
  const clauses = condition.map(({ attribute, op, value: given }) => {
    if (given !== undefined) return `${name(attribute)} ${op} ${value(given)}`;
    return op === 'IS MISSING' ? `attribute_not_exists(${name(attribute)})` : there(attribute);
  });
  if (only === 'condition') return { ConditionExpression: [there('pk'), ...clauses].join(' AND '), ...parts() };

  const assignments = Object.entries(set).map(([attribute, given]) => `${name(attribute)} = ${value(given)}`);
  const sections = [
    ...(assignments.length === 0 ? [] : [`SET ${assignments.join(', ')}`]),
    ...(remove.length === 0 ? [] : [`REMOVE ${remove.map(name).join(', ')}`]),
  ];
  return {
    UpdateExpression: sections.join(' '),
    ConditionExpression: [there('pk'), ...clauses, ...remove.map(there)].join(' AND '),
    ...parts(),
  };

  /** Asked for last: by then all names and values have their aliases. */
  function parts() {
    return {
      TableName: table,
      Key: key,
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
    };
  }
}
