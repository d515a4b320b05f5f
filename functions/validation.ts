/** Validation with the schemas, and what is wrong in words: `zod/mini` brings no texts of its own. */
import type * as z from 'zod/mini';

/** One thing that is wrong, and where (`sensor.key`, `tasks[3].id`). */
export interface Fault {
  readonly field: string;
  readonly detail: string;
}

export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

/** More faults than this are not listed: who has so many has seen enough. */
const MAX_FAULTS = 20;

/** What a fault of the whole value is called. */
const WHOLE = 'body';

/** @returns the parsed value, or what is wrong with it by field, at least one fault. Never throws. */
export function validate<Value>(schema: z.ZodMiniType<Value>, value: unknown): Validated<Value> {
  const parsed = schema.safeParse(value, { error: describe });
  if (parsed.success) return { ok: true, value: parsed.data };
  const [first, ...more] = parsed.error.issues.flatMap(faultsOf);
  const faults = [first ?? { field: WHOLE, detail: 'is not valid' }, ...more.slice(0, MAX_FAULTS - 1)] as const;
  return { ok: false, faults };
}

/** @returns `a.b[2]` for a path; `body` for the empty one. */
export function fieldName(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((sum, part) => {
    if (typeof part === 'number') return `${sum}[${part}]`;
    return sum === '' ? String(part) : `${sum}.${String(part)}`;
  }, '');
  return text === '' ? WHOLE : text.slice(0, 200).toWellFormed();
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), detail: issue.message }));
  }
  if (issue.code === 'invalid_union' && issue.message === NOT_VALID) return unionFaults(issue);
  return [{ field: fieldName(issue.path), detail: issue.message }];
}

/** The faults of the branch that was meant: the one whose type is right; if none is, the types that would be. */
function unionFaults(issue: z.core.$ZodIssueInvalidUnion): Fault[] {
  const isTypeOfWhole = ({ code, path }: z.core.$ZodIssue): boolean => code === 'invalid_type' && path.length === 0;
  const meant = issue.errors.find((issues) => !issues.some(isTypeOfWhole));
  if (meant !== undefined) {
    return meant.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  const types = issue.errors.flatMap((issues) => issues.map(({ message }) => message.replace(/^must be /, '')));
  const detail = types.length === 0 ? NOT_VALID : `must be ${[...new Set(types)].join(' or ')}`;
  return [{ field: fieldName(issue.path), detail }];
}

/** The words for an issue; a text of the schema's own wins over them. */
function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_format':
      return issue.pattern === undefined ? `must be a ${issue.format}` : `must match ${issue.pattern}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : NOT_VALID;
    case 'invalid_element':
    case 'custom':
      return NOT_VALID;
  }
}

const NOT_VALID = 'is not valid';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length > 1 ? `one of ${texts.join(', ')}` : texts.join('');
}

function bound(origin: string, comparison: string, limit: number | bigint): string {
  if (origin === 'string') return `must have ${comparison} ${limit} characters`;
  if (origin === 'array') return `must have ${comparison} ${limit} entries`;
  return `must be ${comparison} ${limit}`;
}
