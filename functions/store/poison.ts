import * as z from 'zod/mini';
import type { Poison } from './store.ts';
import type { Item } from './table.ts';

/** An item was asked for by its key and cannot be read. */
export class PoisonError extends Error {
  override readonly name = 'PoisonError';
  readonly poison: Poison;
  constructor(poison: Poison) {
    super(`${poison.key} cannot be read: ${poison.problem}`);
    this.poison = poison;
  }
}

/** @returns whether a reading ended in poison. */
export function isPoison(read: object): read is Poison {
  return 'problem' in read;
}

/** @returns what was read. Throws PoisonError where it could not be. */
export function orThrow<Read extends object>(read: Read | Poison): Read {
  if (isPoison(read)) throw new PoisonError(read);
  return read;
}

/** @returns the items that can be read, in their order; `onPoison` is told of the others. */
export function readAll<Read extends object>(
  items: readonly Item[],
  read: (item: Item) => Read | Poison,
  onPoison: (poison: Poison) => void,
): Read[] {
  const good: Read[] = [];
  for (const item of items) {
    const one = read(item);
    if (isPoison(one)) onPoison(one);
    else good.push(one);
  }
  return good;
}

/** @returns the record as the schema reads it, or poison that names the field. */
export function parsed<Schema extends z.ZodMiniType<object>>(schema: Schema, item: Item): z.output<Schema> | Poison {
  const result = z.safeParse(schema, item);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return { key: item.pk, problem: issue === undefined ? 'unreadable' : describe(issue) };
}

function describe(issue: z.core.$ZodIssue): string {
  const what = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message;
  return `${issue.path.map(String).join('.')}: ${what}`;
}

/**
 * Reads each object once: the memory table hands out the same frozen item until it is written, and a night in the simulator
 * would read it 700 times.
 */
export function readOnce<From extends object, Read extends object>(read: (from: From) => Read): (from: From) => Read {
  const seen = new WeakMap<From, Read>();
  return (from) => {
    const known = seen.get(from);
    if (known !== undefined) return known;
    const fresh = read(from);
    seen.set(from, fresh);
    return fresh;
  };
}
