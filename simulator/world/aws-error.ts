/** An error as the SDK throws it: name, status, fault. Without a stack: a night has 700,000 of them, and all from here. */
export class AwsError extends Error {
  readonly $fault: 'client' | 'server';
  readonly $metadata: { readonly httpStatusCode: number };
  constructor(name: string, status: number, message = name) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = name;
    this.$fault = status >= 500 ? 'server' : 'client';
    this.$metadata = { httpStatusCode: status };
  }
}

const STATUS: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  AccessDeniedException: 403,
  NotFound: 404,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  SlowDown: 503,
  ServiceUnavailable: 503,
  InternalError: 500,
  InternalFailure: 500,
  InternalServerError: 500,
  InternalServerException: 500,
  ThrottlingException: 400,
  TooManyRequestsException: 429,
  ProvisionedThroughputExceededException: 400,
};

/** @returns the error with this code, with the status that AWS gives it (400 where none is known). */
export function awsError(code: string, message?: string): AwsError {
  return new AwsError(code, STATUS[code] ?? 400, message);
}

const mute = new Map<number, AwsError>();

/** @returns an error as the SDK makes it of an answer to a HEAD, which has no body: of the code only the status is left. */
export function muted({ $metadata: { httpStatusCode: status } }: AwsError): AwsError {
  const known = mute.get(status);
  if (known !== undefined) return known;
  const error = new AwsError(status === 404 ? 'NotFound' : 'Unknown', status, 'UnknownError');
  mute.set(status, error);
  return error;
}
