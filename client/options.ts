/** What a client is made of. */

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

/** Asked before each request, so that what expires can be renewed (as the providers of `@aws-sdk/credential-providers`). */
export type CredentialProvider = () => Promise<Credentials>;

export interface Clock {
  /** @returns epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** How what was throttled, refused as busy or lost on the way is tried again, where repeating is safe. */
export interface RetryLimits {
  /** Tries of one request, the first included. @default 5 */
  readonly attempts: number;
  /** The pause before try n + 1 is random, from 0 to `baseMs * 2^(n-1)` milliseconds. @default 200 */
  readonly baseMs: number;
  /** No pause is longer, milliseconds; a longer Retry-After is not waited for. @default 20000 */
  readonly capMs: number;
}

export interface ClientOptions {
  /** The API with its stage: the stack's output `ApiUrl`. */
  readonly url: string;
  /** The API's Region. @default - the one that the URL names */
  readonly region?: string;
  /**
   * Asks for tasks and tries below this queue: for who may reach that queue alone. A task of another queue is unknown then.
   * @default - tasks of every queue
   */
  readonly queue?: string;
  /** Who asks. @default - nobody: requests are not signed, and the service refuses them */
  readonly credentials?: Credentials | CredentialProvider;
  /** @default - the global one */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @default - the real one */
  readonly clock?: Clock;
  /** A number in [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
  /** Ids for tasks that have none. @default UUIDv7 */
  readonly newId?: () => string;
  readonly retry?: Partial<RetryLimits>;
  /** How long one try of a request may take. @default 35, since API Gateway answers within 29 */
  readonly callTimeoutSeconds?: number;
}
