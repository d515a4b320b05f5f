/** Containers within containers that are still written; a cycle is deeper than any limit. */
const MAX_DEPTH = 64;

/**
 * Canonical JSON (RFC 8785): no white space, keys sorted by UTF-16 code units, numbers as ECMAScript writes them, so that
 * equal values have equal texts (1 and 1.0, 0 and -0). Undefined fields of objects are left out.
 * @throws TypeError naming the path of what has no place in JSON. Nothing is downgraded silently: a function, a Date, NaN,
 * undefined in an array, a lone surrogate, a nesting deeper than 64 are all refused.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', 0);
}

function write(value: unknown, path: string, depth: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value, path);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refusal(path, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw refusal(path, typeof value);
  if (depth >= MAX_DEPTH) throw refusal(path, `a nesting deeper than ${MAX_DEPTH} (or a cycle)`);
  if (Array.isArray(value)) {
    // Array.from visits the holes too, which map() would skip.
    return `[${Array.from(value, (element: unknown, at) => write(element, `${path}[${at}]`, depth + 1)).join(',')}]`;
  }
  if (!isPlain(value)) throw refusal(path, `an object of a class (${value.constructor.name})`);
  const fields: [string, unknown][] = Object.entries(value);
  const written = fields
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      return `${quote(name, inner)}:${write(field, inner, depth + 1)}`;
    });
  return `{${written.join(',')}}`;
}

function quote(text: string, path: string): string {
  if (!text.isWellFormed()) throw refusal(path.toWellFormed(), 'a text with a lone surrogate');
  return JSON.stringify(text);
}

/** An object literal has a prototype without a prototype (of whichever realm), or none at all. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
}

function refusal(path: string, what: string): TypeError {
  return new TypeError(`${path === '' ? 'the value' : path}: ${what} cannot be written as JSON`);
}
