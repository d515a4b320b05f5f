import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Agent } from 'node:http';
import { createS3Client } from '../../functions/runtime/s3-client.ts';

/**
 * What goes over the wire in answer to a request: bytes, after which the connection stays; `cut`: it ends after them;
 * `instead`: it breaks at once, or nothing comes.
 */
export type Bytes = string | { readonly cut: string } | { readonly instead: 'reset' | 'silence' };

/** Of a request, as it was sent: nothing is decoded. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

const LINES = '\r\n';

/** The head of an answer of S3, as its documentation and recorded answers have it. */
export function head(status: string, headers: readonly string[] = []): string {
  const usual = ['x-amz-request-id: TX234S0F24A06C7', 'Date: Tue, 01 Oct 2024 00:00:00 GMT', 'Server: AmazonS3'];
  return [`HTTP/1.1 ${status}`, ...usual, ...headers, '', ''].join(LINES);
}

/** A refusal of a HEAD: it announces XML, and has none. */
export const headRefusal = (status: string, headers: readonly string[] = []): string =>
  head(status, ['Content-Type: application/xml', 'Transfer-Encoding: chunked', ...headers]);

/** An answer with XML, in one chunk, as S3 sends it. */
export function xml(status: string, body: string, headers: readonly string[] = []): string {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
  const size = Buffer.byteLength(text).toString(16);
  return `${headRefusal(status, headers)}${size}${LINES}${text}${LINES}0${LINES}${LINES}`;
}

export const errorBody = (code: string, more = ''): string =>
  `<Error><Code>${code}</Code><Message>so it is</Message>${more}<RequestId>TX234S0F24A06C7</RequestId></Error>`;

/** A socket on which whole requests (GET and HEAD, without bodies) are answered one by one with the bytes of a script. */
export async function s3Stub(requestTimeout = 5000) {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let answer: (request: Asked) => Bytes = () => ({ instead: 'reset' });

  function onRequest(socket: Socket, line: string): void {
    const [method = '', path = ''] = line.split(' ');
    const request = { method, path };
    asked.push(request);
    const bytes = answer(request);
    if (typeof bytes === 'string') socket.write(bytes);
    else if ('cut' in bytes) socket.end(bytes.cut);
    else if (bytes.instead === 'reset') socket.resetAndDestroy();
  }

  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end = text.indexOf(LINES + LINES); end >= 0; end = text.indexOf(LINES + LINES)) {
        const line = text.slice(0, text.indexOf(LINES));
        text = text.slice(end + 4);
        onRequest(socket, line);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: ReturnType<typeof createS3Client>[] = [];

  return {
    asked,
    address,
    /** From now on requests are answered so. */
    says(next: (request: Asked) => Bytes) {
      asked.length = 0;
      answer = next;
    },
    /** @returns a client as the service's, of this stub or of another endpoint. */
    client(endpoint = `http://${address}`, httpAgent = new Agent({ keepAlive: true })) {
      const client = createS3Client({
        endpoint,
        forcePathStyle: true,
        region: 'us-east-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        requestHandler: { requestTimeout, socketTimeout: requestTimeout, throwOnRequestTimeout: true, httpAgent },
      });
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
