import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { toItem } from './attributes.ts';
import type { WriteAnswer } from './table.ts';
import { TableError } from './table.ts';

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottlingError',
]);

/** Worth another attempt, though nobody is throttled. */
const PASSING = new Set(['InternalServerError', 'TransactionConflict', 'TransactionConflictException']);

/** @returns whether an error of this name or code passes by itself. */
export function isPassing(code: string): boolean {
  return THROTTLED.has(code) || PASSING.has(code);
}

/** @returns the error of one statement of a batch. */
export function statementError(key: string, code: string, message = ''): TableError {
  return new TableError(`${key}: ${code} ${message}`.trim(), { throttled: THROTTLED.has(code) });
}

/** @returns whatever the SDK threw as a TableError; no exception of the SDK leaves the table. */
export function toTableError(operation: string, cause: unknown): TableError {
  if (cause instanceof TableError) return cause;
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  return new TableError(`${operation}: ${name}: ${message}`, { cause, throttled: THROTTLED.has(name) });
}

/** Runs a conditional write: a failed condition is an answer, not an error. */
export async function conditionally(write: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item === undefined ? { done: false } : { done: false, item: toItem(error.Item) };
  }
}
