import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createApiClient } from '../../../local/demo/api-client.ts';

const credentials = { accessKeyId: 'me', secretAccessKey: 'secret' };
const task = (id: string) => ({
  id,
  state: 'success',
  try_number: 1,
  deadline: '2024-01-01T00:01:00.000Z',
  history: [{ at: '2024-01-01T00:00:00.000Z', to: 'sensing', by: 'user' }],
});

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** An API that gives each request the next answer. */
async function apiWith(...answers: { status: number; body?: object }[]) {
  const requests: IncomingMessage[] = [];
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    const { status, body } = answers.shift() ?? { status: 500 };
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/live/`;
  const api = createApiClient({ url, region: 'us-east-1', credentials, signal: new AbortController().signal });
  return { api, requests };
}

test('requests are signed for execute-api, with ids encoded; instants become numbers', async () => {
  const { api, requests } = await apiWith({ status: 200, body: task('a=b') });
  expect(await api.task('a=b')).toMatchObject({ id: 'a=b', deadline: 1_704_067_260_000, history: [{ to: 'sensing' }] });
  expect(requests[0]?.url).toBe('/live/v1/tasks/a%3Db');
  expect(requests[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=me\/\d{8}\/us-east-1\/execute-api\/aws4_request, SignedHeaders=host;/,
  );
});

test('lists page by page', async () => {
  const { api, requests } = await apiWith(
    { status: 200, body: { tasks: [task('a')], next: 'token' } },
    { status: 200, body: { tasks: [task('b')] } },
  );
  expect((await api.list('q', 'success')).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(requests.map(({ url }) => url)).toEqual([
    '/live/v1/tasks?queue=q&limit=100&state=success',
    '/live/v1/tasks?queue=q&limit=100&state=success&next=token',
  ]);
});

test('a service that is busy is asked again', async () => {
  const { api, requests } = await apiWith({ status: 503 }, { status: 204 });
  await api.execution('a~1', 'run', { pid: 1 });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PATCH /live/execution/task-instances/a~1/run',
    'PATCH /live/execution/task-instances/a~1/run',
  ]);
});

test('a refusal names the request and quotes the answer', async () => {
  const { api } = await apiWith({ status: 422, body: { detail: 'no such sensor' } });
  await expect(api.submit([{}])).rejects.toThrow(/POST http.*v1\/tasks was answered 422: .*no such sensor/);
});

test('a task that is refused among others is an error', async () => {
  const { api } = await apiWith({
    status: 201,
    body: {
      results: [
        { id: 'a', status: 201 },
        { id: 'b', status: 409 },
      ],
    },
  });
  await expect(api.submit([{}, {}])).rejects.toThrow('the task b was refused with 409');
});
