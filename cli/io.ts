/** What the command line has of the outside: streams, environment, clock, network. main.ts gives the real ones. */

import type { Readable } from 'node:stream';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Input = Readable & { readonly isTTY?: boolean };

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Epoch ms. */
  readonly now: () => number;
  /** Resolves after so long; rejects with the reason of `signal` as soon as that aborts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks on the terminal. @returns what was typed */
  readonly ask: (question: string) => Promise<string>;
  /** Aborts at Ctrl-C, or when the process is asked to end; the reason is an Interrupted. */
  readonly signal: AbortSignal;
  /** Finds credentials as every AWS tool does, and renews them. @throws what the provider throws where there are none */
  readonly credentials: (profile: string | undefined) => Promise<Credentials>;
  /** @returns the region that the AWS configuration files have for a profile. */
  readonly configuredRegion: (profile: string | undefined) => Promise<string | undefined>;
  /** Of the package. */
  readonly version: string;
}
