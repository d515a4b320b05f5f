/** Paths of URLs. */

/** What encodeURIComponent encodes although a path's segment may hold it: `$ & + , : ; = @` (RFC 3986, section 3.3). */
const NEEDLESS = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/**
 * @param text an id or a name
 * @returns it as one segment of a path: what RFC 3986 allows there is raw, the rest is percent-encoded as UTF-8
 * @throws TypeError for what no URL can carry: an empty segment, `.` and `..` vanish on their way, half a character
 * has no encoding
 */
export function pathSegment(text: string): string {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(text)} is no id and no name: a URL cannot carry it`);
  }
  return encodeURIComponent(text).replace(NEEDLESS, (encoded) => decodeURIComponent(encoded));
}

/** @returns parts as a path. @throws TypeError for a part that no URL can carry */
export function path(...parts: readonly string[]): string {
  return parts.map(pathSegment).join('/');
}

/** The paths of tasks and of their tries. */
export interface Places {
  /** `v1/tasks`, or below it. @throws TypeError as `path` */
  readonly tasks: (...more: readonly string[]) => string;
  /** Below `execution/task-instances`. @throws TypeError as `path` */
  readonly tries: (...more: readonly string[]) => string;
}

/** @returns the paths; below the queue where there is one. */
export function placesOf(queue: string | undefined): Places {
  const below = queue === undefined ? [] : ['queues', queue];
  return {
    tasks: (...more) => path('v1', ...below, 'tasks', ...more),
    tries: (...more) => path('execution', ...below, 'task-instances', ...more),
  };
}
