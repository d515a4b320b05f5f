import type { BatchStatementRequest } from '@aws-sdk/client-dynamodb';
import { toAttribute } from './attributes.ts';
import { PRIMARY_KEY } from './keys.ts';
import type { BatchUpdate, Clause, Item, Value } from './table.ts';

/** PartiQL is used for one thing: 25 writes in a call, each with its own condition and its own answer. */

/** @returns the statement of one update. It never creates an item. */
export function updateStatement(table: string, { key, change, condition }: BatchUpdate): BatchStatementRequest {
  const { set = {}, remove = [] } = change;
  const assignments = Object.keys(set).map((name) => `SET ${quoted(name)}=?`);
  const removals = remove.map((name) => `REMOVE ${quoted(name)}`);
  const clauses = [`${quoted(PRIMARY_KEY)}=?`, ...condition.map(clauseText)];
  const compared = condition.flatMap((clause) => ('value' in clause ? [clause.value] : []));
  return {
    Statement: [`UPDATE ${quoted(table)}`, ...assignments, ...removals, `WHERE ${clauses.join(' AND ')}`].join(' '),
    Parameters: parameters([...Object.values(set), key, ...compared]),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/** @returns the statement of one insert; it fails where the key exists. */
export function insertStatement(table: string, item: Item): BatchStatementRequest {
  const fields = Object.keys(item).map((name) => `'${name}': ?`);
  return {
    Statement: `INSERT INTO ${quoted(table)} VALUE {${fields.join(', ')}}`,
    Parameters: parameters(Object.values(item)),
  };
}

function clauseText(clause: Clause): string {
  const name = quoted(clause.attr);
  switch (clause.op) {
    case 'exists':
      return `${name} IS NOT MISSING`;
    case 'missing':
      return `${name} IS MISSING`;
    case '<>':
      return `${name} IS NOT MISSING AND ${name} <> ?`;
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${name} ${clause.op} ?`;
  }
}

/** Names are ours and hold no quotes. */
function quoted(name: string): string {
  return `"${name}"`;
}

function parameters(values: readonly Value[]): BatchStatementRequest['Parameters'] {
  return values.map(toAttribute);
}
