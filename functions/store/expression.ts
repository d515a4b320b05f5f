import { toAttribute } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import type { Change, Clause, Condition, Value } from './table.ts';

/** Collects the names and values of one request's expressions. All names are aliased: many of ours are reserved words. */
export interface Expression {
  name(attribute: string): string;
  value(value: Value): string;
  /** The request's parameters; what is empty is left out, as DynamoDB wants it. */
  parameters(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Attributes };
}

export function createExpression(): Expression {
  const names = new Map<string, string>();
  const values: Attributes = {};
  let count = 0;
  return {
    name(attribute) {
      const alias = names.get(attribute) ?? `#n${names.size}`;
      names.set(attribute, alias);
      return alias;
    },
    value(value) {
      const alias = `:v${count}`;
      count += 1;
      values[alias] = toAttribute(value);
      return alias;
    },
    parameters() {
      const aliases = Object.fromEntries([...names].map(([attribute, alias]) => [alias, attribute]));
      return {
        ...(names.size === 0 ? {} : { ExpressionAttributeNames: aliases }),
        ...(count === 0 ? {} : { ExpressionAttributeValues: values }),
      };
    },
  };
}

/** @returns a ConditionExpression. */
export function conditionExpression(expression: Expression, condition: Condition): string {
  return condition
    .map((part) =>
      'any' in part
        ? `(${part.any.map((clause) => clauseExpression(expression, clause)).join(' OR ')})`
        : clauseExpression(expression, part),
    )
    .join(' AND ');
}

function clauseExpression(expression: Expression, clause: Clause): string {
  const name = expression.name(clause.attr);
  switch (clause.op) {
    case 'exists':
      return `attribute_exists(${name})`;
    case 'missing':
      return `attribute_not_exists(${name})`;
    case '<>':
      // DynamoDB's <> holds for a missing attribute, the port's does not.
      return `(attribute_exists(${name}) AND ${name} <> ${expression.value(clause.value)})`;
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${name} ${clause.op} ${expression.value(clause.value)}`;
  }
}

/** @returns an UpdateExpression; undefined where nothing changes. */
export function updateExpression(expression: Expression, change: Change): string | undefined {
  const { set = {}, setIfMissing = {}, add = {}, remove = [] } = change;
  const assignments = [
    ...Object.entries(set).map(([name, value]) => `${expression.name(name)} = ${expression.value(value)}`),
    ...Object.entries(setIfMissing).map(([attribute, value]) => {
      const name = expression.name(attribute);
      return `${name} = if_not_exists(${name}, ${expression.value(value)})`;
    }),
  ];
  const additions = Object.entries(add).map(([name, value]) => `${expression.name(name)} ${expression.value(value)}`);
  const removals = remove.map((name) => expression.name(name));
  const sections = [
    ...(assignments.length === 0 ? [] : [`SET ${assignments.join(', ')}`]),
    ...(additions.length === 0 ? [] : [`ADD ${additions.join(', ')}`]),
    ...(removals.length === 0 ? [] : [`REMOVE ${removals.join(', ')}`]),
  ];
  return sections.length === 0 ? undefined : sections.join(' ');
}
