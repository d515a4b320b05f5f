/** AWS Signature Version 4. */
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CredentialProvider, Credentials } from './options.ts';

export interface SigningOptions {
  readonly credentials: Credentials | CredentialProvider;
  readonly region: string;
  /** The service's name in signatures: `execute-api`, `logs`. */
  readonly service: string;
}

export interface Signable {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @returns the headers of a request with its signature among them. */
export type Sign = (request: Signable, now?: number) => Promise<Record<string, string>>;

export function createSigner(options: SigningOptions): Sign {
  const signer = new SignatureV4({ ...options, sha256: Sha256 });
  return async ({ method, url, headers, body }, now) => {
    const { protocol, hostname, host, pathname, searchParams } = url;
    const query: Record<string, string[]> = {};
    for (const name of new Set(searchParams.keys())) query[name] = searchParams.getAll(name);
    const request = { protocol, hostname, method, path: pathname, query, headers: { ...headers, host } };
    const signed = await signer.sign(
      body === undefined ? request : { ...request, body },
      now === undefined ? {} : { signingDate: new Date(now) },
    );
    return signed.headers;
  };
}

/** @returns the Region that a URL of API Gateway names; undefined for any other. */
export function regionOf(url: string): string | undefined {
  return /^[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(url).hostname)?.[1];
}
