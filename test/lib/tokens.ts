// The tokens of a template, and what CloudFormation makes of them.

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** What a template says of itself and of other resources, as the text that takes its place. */
export interface Filling {
  /** Of `Ref`: a pseudo parameter, or a resource by its logical id. */
  ref(id: string): string;
  /** Of `Fn::GetAtt`. */
  attribute(id: string, name: string): string;
}

/** @returns the value with its tokens filled in. @throws Error at a function that is not known here */
export function fillIn(value: unknown, filling: Filling): unknown {
  if (Array.isArray(value)) return value.map((one) => fillIn(one, filling));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only, ...more] = entries;
  if (only !== undefined && more.length === 0) {
    const [kind, given] = only as [string, unknown];
    if (kind === 'Ref') return filling.ref(String(given));
    if (kind === 'Fn::GetAtt') {
      const [id = '', name = ''] = given as readonly string[];
      return filling.attribute(id, name);
    }
    if (kind === 'Fn::Join') {
      const [separator, parts] = given as readonly [string, readonly unknown[]];
      return parts.map((part) => String(fillIn(part, filling))).join(separator);
    }
    if (kind.startsWith('Fn::')) throw new Error(`${kind} is not known`);
  }
  return Object.fromEntries(entries.map(([name, inner]) => [name, fillIn(inner, filling)]));
}
