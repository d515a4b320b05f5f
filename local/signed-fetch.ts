import { createSigner } from '../client/signing.ts';
import type { SigningOptions } from '../client/signing.ts';

export type { SigningOptions };

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** @returns a `fetch` that signs its requests with AWS Signature Version 4. */
export function createSignedFetch(options: SigningOptions): (request: SignedRequest) => Promise<Response> {
  const sign = createSigner(options);
  return async ({ method, url, headers = {}, body, signal }) => {
    const content = body === undefined ? {} : { body };
    const signed = await sign({ method, url: new URL(url), headers, ...content });
    return fetch(url, { method, headers: signed, ...content, ...(signal === undefined ? {} : { signal }) });
  };
}
