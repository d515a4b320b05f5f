import { Readable } from 'node:stream';
import { SFNClient } from '@aws-sdk/client-sfn';

/** What Step Functions answers: a body, or the name of an error. */
export type Reply = object | string;

/** The real client over a scripted wire: writes down what is sent, and gets what `answer` says to it. */
export function scriptedSfn(answer: (operation: string, input: object) => Reply) {
  const sent: (readonly [operation: string, input: object])[] = [];
  const client = new SFNClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: {
      metadata: { handlerProtocol: 'http/1.1' },
      async handle(request: { readonly headers: Record<string, string>; readonly body: Uint8Array }) {
        const operation = (request.headers['x-amz-target'] ?? '').replace('AWSStepFunctions.', '');
        const input = JSON.parse(new TextDecoder().decode(request.body)) as object;
        sent.push([operation, input]);
        const reply = answer(operation, input);
        const refused = typeof reply === 'string';
        const body = JSON.stringify(refused ? { __type: reply, message: 'so it is' } : reply);
        return { response: { statusCode: refused ? 400 : 200, headers: {}, body: Readable.from([Buffer.from(body)]) } };
      },
    },
  });
  return { client, sent };
}
