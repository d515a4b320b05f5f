import { covers } from '../functions/sensors/permissions.ts';

/** ARN patterns: six parts between colons, each with `*` for any text and `?` for one sign; the last may hold colons. */

const PARTS = 6;
/** An object's has 1,101 at most. */
const MAX_CHARACTERS = 1200;
const PARTITION = 1;
const SERVICE = 2;

/** @returns the text. @throws Error with the text if it is no ARN pattern. */
export function checkPattern(text: string): string {
  if (text.length > MAX_CHARACTERS) {
    throw new Error(
      `"${text.slice(0, 100)}..." has ${text.length} characters; an ARN pattern has ${MAX_CHARACTERS} at most`,
    );
  }
  const [scheme, partition, service, , , resource] = parts(text);
  if (text === '*' || (scheme === 'arn' && [partition, service, resource].every(Boolean))) return text;
  throw new Error(`"${text}" is no ARN pattern, such as arn:aws:s3:::landing/*`);
}

/** @returns the pattern of what both match; undefined if there is nothing. Never more than `open` matches. */
export function intersect(wanted: string, open: string): string | undefined {
  if (open === '*') return wanted;
  const asked = parts(wanted);
  const opened = parts(bucketLevel(asked) ? open.replace(/\/.*$/, '') : open);
  const common = asked.map((part, index) => {
    const other = opened[index] ?? '';
    // The sensors speak of any; an account lives in one partition, and its operator knows which.
    return index === PARTITION ? other : intersectPart(part, other);
  });
  return common.every((part) => part !== undefined) ? common.join(':') : undefined;
}

/** What is done to a bucket is asked of the bucket: who opens `landing/*` means that `landing` may be listed. */
function bucketLevel(asked: readonly string[]): boolean {
  return asked[SERVICE] === 's3' && !asked.at(-1)?.includes('/');
}

/** @returns the six parts of an ARN or of a pattern. */
export function parts(arn: string): readonly string[] {
  const all = arn.split(':');
  return [...all.slice(0, PARTS - 1), all.slice(PARTS - 1).join(':')];
}

function intersectPart(wanted: string, open: string): string | undefined {
  if (covers(wanted, open)) return open;
  if (covers(open, wanted)) return wanted;
  // Neither holds the other (`landing*`, `*/*`): the operator's is never too much.
  return overlap(wanted, open) ? open : undefined;
}

/** Whether some text matches both. */
function overlap(left: string, right: string): boolean {
  if (left === '' || right === '') return /^\**$/.test(left + right);
  if (left.startsWith('*')) return overlap(left.slice(1), right) || overlap(left, right.slice(1));
  if (right.startsWith('*')) return overlap(right, left);
  const same = left[0] === right[0] || left.startsWith('?') || right.startsWith('?');
  return same && overlap(left.slice(1), right.slice(1));
}
