import { startStub } from './server.ts';
import type { Stub } from './server.ts';

/**
 * S3, as far as HEAD goes: buckets are there, no object is.
 * @param errorsIn one answer of so many is an error of S3's (500 or 503) and no 404. @default none
 */
export function startS3Stub(errorsIn = Number.POSITIVE_INFINITY): Promise<Stub> {
  let asked = 0;
  return startStub((request, response) => {
    request.resume();
    asked += 1;
    response.setHeader('x-amz-request-id', 'stub');
    if (isBucket(request.url ?? '')) {
      response.setHeader('content-length', '0');
      response.end();
      return;
    }
    const isError = asked % errorsIn === 0;
    response.statusCode = isError ? (asked % (2 * errorsIn) === 0 ? 500 : 503) : 404;
    response.setHeader('content-type', 'application/xml');
    // As S3 does for a HEAD, though no body follows: it is what some clients take for the end of the connection.
    response.setHeader('transfer-encoding', 'chunked');
    response.end();
  });
}

/** `/bucket`, and nothing behind it. */
function isBucket(url: string): boolean {
  return /^\/[^/?]+\/?(\?|$)/.test(url);
}
