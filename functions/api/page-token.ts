/** Page tokens: where a listing goes on, opaque to the client and signed, so that nobody makes up a place of their own. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { STATES } from '../core/task.ts';

const key = z.record(z.string(), z.union([z.string(), z.number()]));

/** What was asked for; what is missing: all of them. */
const listing = {
  queue: z.string(),
  states: z.exactOptional(z.array(z.enum(STATES))),
  dag_id: z.exactOptional(z.string()),
  run_id: z.exactOptional(z.string()),
};

const place = z.strictObject({
  ...listing,
  /** The state in which the listing goes on, and where in it; without a position: at its beginning. */
  at: z.enum(STATES),
  position: z.exactOptional(z.strictObject({ partitions: z.record(z.string(), z.nullable(key)) })),
});

/** Where a listing goes on. */
export type Place = z.infer<typeof place>;

export type Listing = Omit<Place, 'at' | 'position'>;

/** @returns the token of a place: base64url of its JSON and of the signature over it. */
export function sealPlace(value: Place, secret: string): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${text}.${signature(text, secret).toString('base64url')}`;
}

/** @returns the place of a token that was sealed with this secret; undefined for anything else. */
export function openPlace(token: string, secret: string): Place | undefined {
  const [text = '', signed = '', ...rest] = token.split('.');
  const given = Buffer.from(signed, 'base64url');
  const right = signature(text, secret);
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const parsed = place.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function signature(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`sensorium page token 1\n${text}`).digest();
}
