/**
 * The parameters of a path: decoded here, once, and nowhere else. API Gateway's REST API hands them to a function as they
 * were sent: `a:b` comes as `a:b` or as `a%3Ab`, as the client wrote it (docs/adr/0018).
 */
import type { Read } from './body.ts';
import type { ApiEvent, PathParameters } from './http.ts';
import { problem } from './problem.ts';
import { QUEUE_NAME_RULE } from './routes.ts';

/** @returns the parameters; 400 that names the one that cannot be read. */
export function readPath(sent: ApiEvent['pathParameters']): Read<PathParameters> {
  const id = decode(sent?.['id'] ?? '');
  if (id === undefined) return refused('id', 'is not percent-encoded UTF-8');
  const name = sent?.['name'] ?? '';
  // Grants name queues by path. An encoded name is refused, so that IAM and this service cannot read it in two ways.
  if (name.includes('%')) return refused('name', `${QUEUE_NAME_RULE}; percent-encoding is not decoded`);
  return { ok: true, value: { id, name } };
}

/** @returns undefined for what is not an encoding: `%zz`, `%ff`, `%` alone. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function refused(field: 'id' | 'name', detail: string): Read<never> {
  return { ok: false, problem: problem(400, `${field} ${detail}`, { field }) };
}
