import * as z from 'zod/mini';
import { pythonDatetimeOfText } from '../core/python.ts';
import type { SensorSpec } from '../core/task.ts';
import type { SensorKind } from './kind.ts';

export interface DatetimeContext extends SensorSpec {
  readonly type: 'datetime';
  /** The instant in UTC, with milliseconds: `2024-01-01T06:00:00.000Z`. */
  readonly at: string;
}

const input = z.strictObject({ type: z.literal('datetime'), at: z.string() });

const schema = z.pipe(
  input,
  z.transform(({ type, at }: z.output<typeof input>, ctx): DatetimeContext => {
    const instant = pythonDatetimeOfText(at);
    if (instant !== undefined) return { type, at: new Date(instant.replace(' ', 'T')).toISOString() };
    const message = 'must be an ISO 8601 date and time in the extended format, with an offset (2024-01-01T06:00:00Z)';
    ctx.issues.push({ code: 'custom', path: ['at'], message, input: at });
    return z.NEVER;
  }),
);

export const datetime: SensorKind<DatetimeContext> = {
  type: 'datetime',
  summary: 'An instant has come.',
  schema,
  operations: [],
  permissions: [],
  resources: () => [],
  notBefore: ({ at }) => Date.parse(at),
  connect: () => async (items, io) =>
    items.map(({ context }) => (io.now() >= Date.parse(context.at) ? { kind: 'met' } : { kind: 'not_met' })),
};
