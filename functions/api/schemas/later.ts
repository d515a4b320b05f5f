/** What the documents promise and this version does not do yet. Lifting a limit is taking it out of this file. */
import * as z from 'zod/mini';
import { MODES } from '../../core/task.ts';

const NOT_YET = 'is not available yet';

/** The modes that a submit may name. */
export const AVAILABLE_MODES = [
  'smart',
  'deferrable',
  'reschedule',
  'poke',
] as const satisfies readonly (typeof MODES)[number][];

const KNOWN: readonly unknown[] = [...MODES, 'auto'];

export const mode = z.enum(AVAILABLE_MODES, {
  error: ({ input }) => (KNOWN.includes(input) ? `${NOT_YET} as ${JSON.stringify(input)}; use "smart"` : undefined),
});

/** Cancelling what a removed task watched: refused rather than promised. */
export const cancelOnKill = z.literal(false, {
  error: ({ input }) => (input === true ? `${NOT_YET} as true` : 'must be true or false'),
});
