/** Reads answers by the schemas that the service describes itself with. */
import type * as z from 'zod/mini';
import { UnreadableAnswerError } from './errors.ts';

/**
 * @param what was asked, for the error
 * @returns the answer, as the schema knows it: fields of a later version of the service are left out.
 * @throws UnreadableAnswerError that names what is missing or wrong
 */
export function read<Answer>(schema: z.ZodMiniType<Answer>, answer: unknown, what: string): Answer {
  const first = schema.safeParse(answer);
  if (first.success) return first.data;
  const parsed = schema.safeParse(withoutUnknown(answer, first.error.issues));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw new UnreadableAnswerError(
    `the answer to ${what} cannot be read: ${where === '' ? 'it' : where} ${WORDS[issue?.code ?? ''] ?? 'is not as expected'}`,
  );
}

const WORDS: Readonly<Record<string, string>> = {
  invalid_type: 'is missing or of another type',
  invalid_value: 'has a value that this client does not know',
};

/** A copy without the fields that the schema does not know. */
function withoutUnknown(answer: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(answer);
  for (const { path, keys } of issues.flatMap((issue) => unknownKeys(issue, []))) {
    let place: unknown = copy;
    for (const part of path) place = typeof place === 'object' && place !== null ? Reflect.get(place, part) : {};
    if (typeof place !== 'object' || place === null) continue;
    for (const key of keys) Reflect.deleteProperty(place, key);
  }
  return copy;
}

interface Unknown {
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
}

/** Of a union, those of the branch that has nothing else against the value. */
function unknownKeys(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): Unknown[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return [{ path, keys: issue.keys }];
  if (issue.code !== 'invalid_union') return [];
  const meant = issue.errors.find((branch) => branch.every(({ code }) => code === 'unrecognized_keys')) ?? [];
  return meant.flatMap((inner) => unknownKeys(inner, path));
}
