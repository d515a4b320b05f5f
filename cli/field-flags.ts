/** A refusal that names a field, with the flag that it came from. */
import type { SensoriumError } from '../client/index.ts';
import { advise } from './advice.ts';
import { Failure } from './failures.ts';
import type { Field } from './flags.ts';

/** @returns what was asked. @throws Failure that names the flags, where the service refused fields */
export async function withFlags<Answer>(fields: readonly Field[], asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SensoriumError') throw error;
    const { field, problem } = error as SensoriumError;
    const names = (problem.errors ?? []).map((each) => each.field);
    const flags = [field ?? '', ...names].flatMap((name) => flagOf(fields, name));
    if (flags.length === 0) throw error;
    const { text, code } = advise(error);
    throw new Failure(`${text} Look at ${[...new Set(flags)].join(', ')}.`, code, { cause: error });
  }
}

/** `task.sensor.key[0]` is `--key`. */
function flagOf(fields: readonly Field[], path: string): string[] {
  const name = path
    .replace(/^task\./, '')
    .replace(/^sensor\./, '')
    .replace(/[.[].*$/, '');
  const field = fields.find((each) => each.name === name);
  return field === undefined ? [] : [`--${field.flag}`];
}
