import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

export interface SigningOptions {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  /** The service's name in signatures: `execute-api`, `logs`. */
  readonly service: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** @returns a `fetch` that signs its requests with AWS Signature Version 4. */
export function createSignedFetch(options: SigningOptions): (request: SignedRequest) => Promise<Response> {
  const signer = new SignatureV4({ ...options, sha256: Sha256 });
  return async ({ method, url, headers = {}, body, signal }) => {
    const { protocol, hostname, host, pathname, searchParams } = new URL(url);
    const signed = await signer.sign({
      protocol,
      hostname,
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { ...headers, host },
      ...(body === undefined ? {} : { body }),
    });
    return fetch(url, {
      method,
      headers: signed.headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
}
