import { startStub } from './server.ts';
import type { Stub } from './server.ts';

/**
 * S3, as far as HEAD goes: no object is there.
 * @param errorsIn one answer of so many is an error of S3's (500 or 503) and no 404. @default none
 */
export function startS3Stub(errorsIn = Number.POSITIVE_INFINITY): Promise<Stub> {
  let asked = 0;
  return startStub((request, response) => {
    request.resume();
    asked += 1;
    const isError = asked % errorsIn === 0;
    response.statusCode = isError ? (asked % (2 * errorsIn) === 0 ? 500 : 503) : 404;
    response.setHeader('x-amz-request-id', 'stub');
    response.setHeader('content-type', 'application/xml');
    response.end();
  });
}
