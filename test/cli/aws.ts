/** What AWS answers to the command line, played on loopback: CloudFormation's DescribeStacks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Aws {
  readonly url: string;
  /** What it answers from now on. */
  answer(status: number, body: string): void;
  close(): Promise<void>;
}

export async function startAws(): Promise<Aws> {
  let reply = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(reply.status, { 'content-type': 'text/xml' }).end(reply.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer(status, body) {
      reply = { status, body };
    },
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
