import { covers } from '../functions/sensors/permissions.ts';

/** A matcher of EventBridge. */
type Matcher = string | { readonly prefix: string };

/** The part of an event pattern that says which objects; what is missing is any. */
export interface ObjectDetail {
  readonly bucket?: { readonly name: readonly Matcher[] };
  readonly object?: { readonly key: readonly Matcher[] };
}

/** Objects that one of the allowed patterns opens. */
interface Part {
  readonly bucket: Matcher;
  /** Missing: all of the bucket. */
  readonly key?: Matcher;
}

const SERVICE = 2;
const RESOURCE = 5;

/** A longer beginning of a key tells no more, and would have no room in a pattern. */
const MAX_KEY = 200;

/**
 * Of which objects events are of use, as parts of event patterns. Together they match every object that the allowed ARN
 * patterns open. They may match more: the buckets of a pattern share its keys, and an event too many only costs.
 * @param fits whether an event pattern with this detail is short enough
 * @returns one empty detail where a pattern opens buckets of any name
 */
export function objectDetails(
  allow: readonly string[],
  fits: (detail: ObjectDetail) => boolean,
): readonly ObjectDetail[] {
  const opened = allow.filter((pattern) => covers(pattern.split(':')[SERVICE] ?? pattern, 's3')).map(read);
  if (opened.includes(undefined)) return [{}];
  const all = opened.flatMap((one) => one ?? []);
  const whole = new Set(all.filter(({ key }) => key === undefined).map(({ bucket }) => text(bucket)));
  const needed = all.filter(({ bucket, key }) => key === undefined || !whole.has(text(bucket)));
  // Buckets of which the same keys are open come together.
  const rank = ({ bucket, key = '' }: Part): string => text([key, bucket]);
  return pack(
    needed.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)),
    fits,
  );
}

/** @returns what a pattern opens; undefined: objects of any bucket. */
function read(pattern: string): Part | undefined {
  if (pattern === '*') return undefined;
  const [name = '', ...key] = pattern.split(':').slice(RESOURCE).join(':').split('/');
  const bucket = matcher(name, Infinity);
  if (text(bucket) === text({ prefix: '' })) return undefined;
  // A star in the bucket's name stands for slashes, too: where its keys begin nobody knows.
  if (typeof bucket !== 'string' || key.length === 0) return { bucket };
  const keys = matcher(key.join('/'), MAX_KEY);
  return text(keys) === text({ prefix: '' }) ? { bucket } : { bucket, key: keys };
}

/** @returns what is certain of a text by its pattern: itself, or its beginning. */
function matcher(pattern: string, longest: number): Matcher {
  const open = pattern.search(/[*?]/u);
  const certain = Math.min(open < 0 ? pattern.length : open, longest);
  return certain === pattern.length ? pattern : { prefix: pattern.slice(0, certain) };
}

function pack(all: readonly Part[], fits: (detail: ObjectDetail) => boolean): readonly ObjectDetail[] {
  const details: ObjectDetail[] = [];
  for (const one of all) {
    const last = details.at(-1);
    // A whole bucket and keys of another have no pattern in common.
    const isAlike = last !== undefined && (last.object === undefined) === (one.key === undefined);
    const wider = isAlike ? widened(last, one) : undefined;
    if (wider !== undefined && fits(wider)) details.splice(-1, 1, wider);
    else details.push(widened({}, one));
  }
  return details;
}

function widened({ bucket, object }: ObjectDetail, opened: Part): ObjectDetail {
  return {
    bucket: { name: added(bucket?.name, opened.bucket) },
    ...(opened.key !== undefined && { object: { key: added(object?.key, opened.key) } }),
  };
}

function added(matchers: readonly Matcher[] = [], one: Matcher): readonly Matcher[] {
  return matchers.some((other) => text(other) === text(one)) ? matchers : [...matchers, one];
}

function text(value: Matcher | readonly Matcher[]): string {
  return JSON.stringify(value);
}
