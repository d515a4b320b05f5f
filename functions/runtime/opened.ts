import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openedSchema } from '../sensors/opened-schema.ts';
import { OPENED_FILE } from '../sensors/opened.ts';
import type { Opened } from '../sensors/opened.ts';
import { SettingsError } from '../settings.ts';
import { validate } from '../validation.ts';

/**
 * @returns what the operator has opened to sensors: the file that was deployed beside this code, and so is as old as it.
 * @throws SettingsError naming the file, where it is missing or cannot be read.
 */
export function readOpened(folder = import.meta.dirname): Opened {
  const answer = validate(openedSchema, jsonOf(join(folder, OPENED_FILE)));
  if (answer.ok) return answer.value;
  throw new SettingsError(answer.faults.map(({ field, detail }) => `${OPENED_FILE}: ${field} ${detail}`).join('; '));
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new SettingsError(`${OPENED_FILE} is missing or no JSON (what the operator has opened to sensors)`, {
      cause,
    });
  }
}
