/**
 * `GET /openapi.json`: the OpenAPI document, as it stands in the repository and in the package. It is signed for like
 * every route: one rule for all of them, and nothing that strangers can have invoked.
 */
import type { Handler } from './http.ts';

export function createOpenApi(): Handler {
  return async () => {
    // Only who asks for it pays for it: the bundle has it as a module that is not evaluated before.
    const { default: document } = await import('../../openapi.json', { with: { type: 'json' } });
    return { status: 200, body: document };
  };
}
