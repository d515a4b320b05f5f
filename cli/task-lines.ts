/** Tasks out of JSON lines: one object a line, blank lines left out. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { v5 } from 'uuid';
import type { NewTask } from '../client/index.ts';
import { canonicalJson } from '../functions/core/json.ts';
import { usage } from './failures.ts';
import type { Input } from './io.ts';

export type TaskLine =
  | { readonly line: number; readonly task: NewTask & { readonly id: string } }
  | { readonly line: number; readonly fault: string };

/** The namespace of ids that are made of a task's content; a version-5 UUID is the same for the same content. */
const NAMESPACE = '6d0f2a3e-7f0c-5f5e-9d0b-1f5a4c3b2e10';

export interface LineOptions {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly stdin: Input;
  /** Gives a line without an id one that follows from its content. */
  readonly assignIds: boolean;
  /** Ends the reading, also of an input that says no more. */
  readonly signal: AbortSignal;
}

/** Opens the file, so that a wrong one is told before anything else. @throws Failure where it cannot be read */
export async function openTaskLines(options: LineOptions): Promise<AsyncGenerator<TaskLine>> {
  const { file, stdin } = options;
  if (file === '-') return readLines(stdin, options);
  const input = createReadStream(file);
  try {
    await Promise.race([once(input, 'readable'), once(input, 'end')]);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw usage(
      `The file ${file} cannot be read: ${error.message}. Give the path of a file with a task a line, or - for standard input.`,
      { cause: error },
    );
  }
  return readLines(input, options);
}

async function* readLines(input: Readable, { assignIds, signal }: LineOptions): AsyncGenerator<TaskLine> {
  let line = 0;
  for await (const text of linesOf(input, signal)) {
    line += 1;
    if (text.trim() !== '') yield readLine(text, line, assignIds);
  }
}

/**
 * JSON lines end with LF or CRLF, and with nothing else: U+2028 and U+2029, at which node's readline ends a line too, are
 * characters like others within a JSON string.
 */
async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of addAbortSignal(signal, input).setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.replace(/\r$/, '');
    }
  } catch (error) {
    // Whoever reads looks at the signal.
    if (!signal.aborted) throw error;
  }
  if (rest !== '') yield rest;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error;
}

function readLine(text: string, line: number, assignIds: boolean): TaskLine {
  let value: unknown;
  try {
    // A byte order mark is no part of the first task.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      line,
      fault: `is no JSON (${error instanceof Error ? error.message : 'unreadable'}); each line is one task`,
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, fault: 'must be an object: a task ({"id": ..., "sensor": {...}})' };
  }
  const body: Readonly<Record<string, unknown>> = { ...value };
  const id = body['id'] ?? (assignIds ? idOf(body) : undefined);
  if (id === undefined) {
    return {
      line,
      fault:
        'id is required in a file, so that submitting it again makes nothing twice; --assign-ids makes one of the content',
    };
  }
  if (typeof id !== 'string') return { line, fault: 'id must be a string' };
  // Whatever else is wrong with it the service says: it knows its own version.
  return { line, task: { ...body, id } as NewTask & { readonly id: string } };
}

/** Equal content has an equal id: the same line submitted again, or standing twice in a file, is one task. */
function idOf(body: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return v5(canonicalJson(body), NAMESPACE);
  } catch {
    return undefined;
  }
}
