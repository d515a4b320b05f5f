/** Reads a request's body: whatever comes in, a value that is safe to validate and to keep comes out, or a refusal. */
import { escapedBytes, MAX_BODY_BYTES } from '../payload.ts';
import { fieldName, validate } from '../validation.ts';
import type { Fault, Validated } from '../validation.ts';
import type { Request } from './http.ts';
import { invalid, problem } from './problem.ts';
import type { Problem } from './problem.ts';
import type * as z from 'zod/mini';

/** Objects and lists within each other. A batch of sensors that watch sensors with lists needs 7. */
export const MAX_DEPTH = 20;

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

const TOO_LONG = problem(
  413,
  `the body is longer than ${MAX_BODY_BYTES} bytes, where each quote and backslash counts twice`,
  { field: 'body' },
);

/** @returns the body's JSON; 413 if it is too long, 400 if it is none. */
export function readJson(request: Pick<Request, 'text'>): Read<unknown> {
  if (escapedBytes(request.text) > MAX_BODY_BYTES) return { ok: false, problem: TOO_LONG };
  try {
    return { ok: true, value: JSON.parse(request.text) };
  } catch {
    return { ok: false, problem: problem(400, 'the body is not valid JSON', { field: 'body' }) };
  }
}

/** @returns the body as a schema gives it; a missing body counts as `{}` where `optional`. */
export function readBody<Value>(
  request: Pick<Request, 'text'>,
  schema: z.ZodMiniType<Value>,
  options: { readonly optional?: boolean } = {},
): Read<Value> {
  const json: Read<unknown> =
    options.optional === true && request.text.trim() === '' ? { ok: true, value: {} } : readJson(request);
  if (!json.ok) return json;
  const parsed = validatePlain(schema, json.value);
  return parsed.ok ? parsed : { ok: false, problem: invalid(parsed.faults) };
}

/** Validates what came from outside: no schema ever sees a value that is too deep or that hides control characters. */
export function validatePlain<Value>(schema: z.ZodMiniType<Value>, value: unknown): Validated<Value> {
  const fault = findImproper(value);
  return fault === undefined ? validate(schema, value) : { ok: false, faults: [fault] };
}

interface Visit {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

/** C0, delete and C1: nothing that anybody means to write, and much that terminals and logs obey. */
const CONTROL = /\p{Cc}/u;

/**
 * Looks through a parsed JSON value without recursion, so that no depth can exhaust the stack.
 * @returns the first place that is too deep, has a control character or half a character, or is named `__proto__`
 */
function findImproper(root: unknown): Fault | undefined {
  const open: Visit[] = [{ value: root, path: [] }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, path } = visit;
    const detail = improperText(value);
    if (detail !== undefined) return { field: fieldName(path), detail };
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_DEPTH)
      return { field: fieldName(path.slice(0, 3)), detail: `is nested deeper than ${MAX_DEPTH} levels` };
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      const bad = isList ? undefined : improperName(name);
      if (bad !== undefined) return { field: fieldName([...path, JSON.stringify(name).slice(1, -1)]), detail: bad };
      open.push({ value: inner, path: [...path, isList ? Number(name) : name] });
    }
  }
  return undefined;
}

function improperText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CONTROL.test(value)) return 'has a control character';
  return value.isWellFormed() ? undefined : 'has half of a surrogate pair';
}

function improperName(name: string): string | undefined {
  return name === '__proto__' ? 'is not a known field' : improperText(name);
}
