/** An error answer of the EMR API, in the shape that the AWS SDK parses. */
export class EmrFault extends Error {
  /** The name the client sees, e.g. `InvalidRequestException`. */
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }

  /** The body of the HTTP answer. EMR writes its own two exceptions with a capital Message, the gateway's with a small one. */
  body(): Readonly<Record<string, string>> {
    switch (this.type) {
      case 'InvalidRequestException':
        return { __type: this.type, ErrorCode: 'ValidationException', Message: this.message };
      case 'InternalServerException':
        return { __type: this.type, Message: this.message };
      default:
        return { __type: this.type, message: this.message };
    }
  }
}

export const invalidRequest = (message: string): EmrFault => new EmrFault('InvalidRequestException', message);
export const noSuchCluster = (id: string): EmrFault => invalidRequest(`Cluster id '${id}' is not valid.`);
export const noSuchStep = (id: string): EmrFault => invalidRequest(`Step id '${id}' is not valid.`);
export const malformed = (message: string): EmrFault => new EmrFault('ValidationException', message);
export const throttled = (): EmrFault => new EmrFault('ThrottlingException', 'Rate exceeded');
export const unknownOperation = (): EmrFault => new EmrFault('UnknownOperationException', 'Unknown operation');
