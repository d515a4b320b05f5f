/** What AWS answers to the command line, played on loopback: CloudFormation's DescribeStacks, and calls in JSON. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Aws {
  readonly url: string;
  /** What it answers from now on. */
  answer(status: number, body: string): void;
  /** How it answers to one operation of a service that speaks JSON, by its `x-amz-target`, or by its path; a `__type` is an error. */
  answerTo(target: string, reply: (body: string) => object): void;
  close(): Promise<void>;
}

export async function startAws(): Promise<Aws> {
  let reply = { status: 200, body: '' };
  const targets = new Map<string, (body: string) => object>();
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const target = targets.get(String(request.headers['x-amz-target'] ?? request.url));
    if (target === undefined) {
      response.writeHead(reply.status, { 'content-type': 'text/xml' }).end(reply.body);
      return;
    }
    const answer = target(body);
    const status = '__type' in answer ? 400 : 200;
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer(status, body) {
      reply = { status, body };
    },
    answerTo: (target, answer) => void targets.set(target, answer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** @returns DescribeStacks' answer for a stack with these outputs. */
export function stackWith(outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks>
<member><StackName>Sensorium</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2024-01-01T00:00:00Z</CreationTime>
<Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** @returns an error of CloudFormation. */
export function errorOf(code: string, message: string): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
}
