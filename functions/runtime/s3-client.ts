import type { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { s3Calls } from '../sensors/s3-calls.ts';
import type { S3Calls } from '../sensors/s3-calls.ts';
import type { ClientOptions } from './sensors.ts';

/** @returns S3. */
export function openS3(options: ClientOptions): S3Calls {
  return s3Calls(createS3Client(options));
}

/**
 * @param config one attempt a call is all that it makes, whatever this says
 * @returns a client that spends little on the usual answer to a poke, which is that nothing is there (docs/adr/0017). A
 * bucket elsewhere is the user's to hear of: no redirect is followed.
 */
export function createS3Client(config: S3ClientConfig): S3Client {
  const client = new S3Client({ ...config, maxAttempts: 1, followRegionRedirects: false });
  // For one attempt the machinery for more of them makes an error of its own, with its stack.
  client.middlewareStack.add((next) => next, {
    step: 'finalizeRequest',
    priority: 'high',
    name: 'retryMiddleware',
    override: true,
  });
  // Before the SDK makes an error of the answer, which takes as long as signing the request.
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      if (!isMissing(args.request, answer.response)) return answer;
      await over(answer.response.body);
      throw notFound();
    },
    { step: 'deserialize', priority: 'low', name: 'notFound' },
  );
  return client;
}

/** What is asked for by HEAD is not there: an answer without a body, which says no more than that. */
function isMissing(request: unknown, response: unknown): response is { readonly body: Readable } {
  return isHead(request) && isAnswer(response) && response.statusCode === 404;
}

function isHead(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'method' in request && request.method === 'HEAD';
}

function isAnswer(response: unknown): response is { readonly statusCode: unknown } {
  return typeof response === 'object' && response !== null && 'statusCode' in response;
}

/** Reads an answer to its end: then the connection is free for the next call. */
async function over(body: Readable): Promise<void> {
  if (body.closed) return;
  await new Promise((resolve) => {
    body.once('close', resolve).resume();
  });
}

/** What the SDK's own error says, as far as anybody asks. */
class NotFound extends Error {
  override readonly name = 'NotFound';
  readonly $fault = 'client';
  readonly $metadata = { httpStatusCode: 404 };
}

/** An answer is no defect: it needs no stack. */
function notFound(): NotFound {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new NotFound();
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
