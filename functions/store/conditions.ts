import type { Clause, Condition, Item, Value } from './table.ts';

/** @returns whether a condition holds for an item; for a missing item only what is `missing` holds. */
export function holds(condition: Condition, item: Item | undefined): boolean {
  return condition.every((part) =>
    'any' in part ? part.any.some((one) => clauseHolds(one, item)) : clauseHolds(part, item),
  );
}

function clauseHolds(clause: Clause, item: Item | undefined): boolean {
  const value = item?.[clause.attr];
  switch (clause.op) {
    case 'exists':
      return value !== undefined;
    case 'missing':
      return value === undefined;
    case '=':
      return value === clause.value;
    case '<>':
      return value !== undefined && value !== clause.value;
    case '<':
      return ordered(value, clause.value, (order) => order < 0);
    case '<=':
      return ordered(value, clause.value, (order) => order <= 0);
    case '>':
      return ordered(value, clause.value, (order) => order > 0);
    case '>=':
      return ordered(value, clause.value, (order) => order >= 0);
  }
}

/** Values of two types have no order: the comparison is false. Texts are ordered by their UTF-8 bytes. */
function ordered(a: Value | undefined, b: string | number | boolean, test: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return test(a - b);
  if (typeof a === 'string' && typeof b === 'string') return test(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return false;
}
