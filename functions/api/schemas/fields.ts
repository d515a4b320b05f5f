/** Fields that several bodies have, with their bounds. */
import * as z from 'zod/mini';
import { parseDuration } from '../../core/duration.ts';
import { pythonDatetimeOfText } from '../../core/python.ts';
import { QUEUE_NAME, QUEUE_NAME_RULE } from '../routes.ts';

export const DAY = 86_400;
export const WEEK = 7 * DAY;
export const YEAR = 365 * DAY;

/** Not `.` and `..`: they vanish from a URL on its way. */
const ID = '(?!\\.{1,2}(?:~|$))[A-Za-z0-9_.:=+@-]{1,250}';

/**
 * A task's id. `~` is not in it: the id of a try is never one of a task. `%` is not in it: decoding it once more changes
 * nothing (docs/adr/0018). All of its characters may stand in a URL's path as they are.
 */
export const TASK_ID = new RegExp(`^${ID}$`);

/** `<task id>`, or the id of a try, `<task id>~<n>`. */
export const TRY_ID = new RegExp(`^(${ID})(?:~(\\d{1,9}))?$`);

export const taskId = z
  .string()
  .check(z.regex(TASK_ID, 'must be 1 to 250 characters of A-Z a-z 0-9 _ . : = + @ -, not . or ..'));

/** A queue's name; the separator of the table's keys is not in it. */
export const queueName = z.string().check(z.regex(QUEUE_NAME, QUEUE_NAME_RULE));

/** @returns a text of 1 to so many characters. */
export function text(max: number) {
  return z.string().check(z.minLength(1), z.maxLength(max));
}

/** @returns the check that an object has at most so many entries. */
export function atMost(entries: number) {
  const error = `must have at most ${entries} entries`;
  return z.refine<object>((value) => Object.keys(value).length <= entries, { error });
}

const toMillisecond = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/**
 * A duration: a number of seconds, or ISO 8601 as text (`PT5M`); both become seconds, to the millisecond.
 * @param from the shortest that is accepted, seconds
 * @param to the longest that is accepted, seconds
 */
export function duration(from: number, to: number) {
  const written = z.pipe(
    z.string().check(z.maxLength(100), z.describe('ISO 8601 duration without years and months')),
    z.transform((value, context) => {
      const seconds = parseDuration(value);
      if (seconds !== undefined && seconds >= from && seconds <= to) return toMillisecond(seconds);
      const bounds = `must be from ${from} to ${to} seconds`;
      const message =
        seconds === undefined ? 'must be seconds or an ISO 8601 duration without years and months' : bounds;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    }),
  );
  const seconds = z.number().check(z.gte(from), z.lte(to), z.overwrite(toMillisecond));
  return z.union([seconds, written]);
}

function dateAs<Out>(convert: (text: string) => Out | undefined) {
  return z.pipe(
    z.string().check(z.maxLength(50), z.describe('ISO 8601 date and time with an offset')),
    z.transform((value, context): Out => {
      const date = convert(value);
      if (date !== undefined) return date;
      const message = 'must be an ISO 8601 date and time with an offset (2024-01-01T00:00:00Z)';
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    }),
  );
}

/** An ISO 8601 date that becomes the text that Python writes, in UTC: the coordinates' `logical_date`. */
export const pythonDate = dateAs(pythonDatetimeOfText);

/** An ISO 8601 date that becomes epoch milliseconds. */
export const instant = dateAs((value) => {
  const date = pythonDatetimeOfText(value);
  return date === undefined ? undefined : Date.parse(date.replace(' ', 'T'));
});
