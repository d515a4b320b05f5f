/** What the documents promise and this version does not do yet. Lifting a limit is taking it out of this file. */
import * as z from 'zod/mini';

const NOT_YET = 'is not available yet';

/** Cancelling what a removed task watched: refused rather than promised. */
export const cancelOnKill = z.literal(false, {
  error: ({ input }) => (input === true ? `${NOT_YET} as true` : 'must be true or false'),
});
