/** A query's parameters as a schema takes them. */
import type { Request } from './http.ts';

/** @returns each parameter's value; one that is given twice is a list, which no schema takes for a text. */
export function parametersOf(query: Request['query']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}
