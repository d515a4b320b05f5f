/** The command line as its users have it: the real main function, on the API over a table in memory. */
import { Readable } from 'node:stream';
import { Interrupted } from '../../cli/failures.ts';
import { runCli } from '../../cli/cli.ts';
import type { Credentials, Io } from '../../cli/io.ts';
import { aService } from '../api/service.ts';
import type { Service } from '../api/service.ts';
import { T0 } from '../support/tasks.ts';

export const URL_OF_API = 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/';

const KEYS: Credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a secret of the tests' };

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON lines. */
  readonly records: () => Record<string, unknown>[];
}

export interface RunOptions {
  /** Standard input, or its chunks. */
  readonly stdin?: string | readonly string[];
  /** A terminal at both ends. */
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed at a question. */
  readonly answer?: string;
  /** Takes the place of the service. */
  readonly fetch?: Io['fetch'];
  readonly credentials?: Io['credentials'];
  readonly configuredRegion?: Io['configuredRegion'];
  /** What happens while the command sleeps for the n-th time. */
  readonly meanwhile?: (sleeps: number) => Promise<unknown> | void;
  /** Ctrl-C at the n-th sleep. */
  readonly stopAt?: number;
  /** Ctrl-C at the n-th request. */
  readonly stopAtRequest?: number;
  /** How far this machine's clock is off, ms. */
  readonly skewMs?: number;
}

export interface Cli {
  readonly service: Service;
  /** Requests so far: `GET /v1/tasks`. */
  readonly requests: string[];
  /** The service, as it answers to a signed request. */
  readonly serve: Io['fetch'];
  readonly run: (args: string | readonly string[], options?: RunOptions) => Promise<Ran>;
}

export function aCli(service: Service = aService()): Cli {
  const requests: string[] = [];
  let seconds = 0;

  const serve: Io['fetch'] = async (url, { method = 'GET', body, headers }) => {
    const { pathname, search } = new URL(url);
    // The first part is the stage.
    const path = pathname.replace(/^\/[^/]+/, '');
    requests.push(`${method} ${path}${search}`);
    const signed = new Headers(headers).has('authorization');
    if (!signed) return json(403, { message: 'Missing Authentication Token' });
    const sent = typeof body === 'string' ? { text: body } : {};
    const reply = await service.call(method, `${path}${search}`, undefined, sent);
    return json(reply.status, reply.body, reply.headers as Record<string, string>);
  };

  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
    new Response(status === 304 ? null : JSON.stringify(body), {
      status,
      headers: { date: new Date(T0 + seconds * 1000).toUTCString(), ...headers },
    });

  return {
    service,
    requests,
    serve,
    async run(args, options = {}) {
      const { tty = false, env = {}, stdin = '', skewMs = 0 } = options;
      let stdout = '';
      let stderr = '';
      let sleeps = 0;
      let sent = 0;
      const interrupt = new AbortController();
      const code = await runCli(typeof args === 'string' ? args.split(' ') : args, {
        stdout: { write: (text) => void (stdout += text), isTTY: tty, columns: 100 },
        stderr: { write: (text) => void (stderr += text), isTTY: tty, columns: 100 },
        stdin: Object.assign(Readable.from(typeof stdin === 'string' ? [stdin] : stdin), { isTTY: tty }),
        env: { SENSORIUM_URL: URL_OF_API, ...env },
        async fetch(url, init) {
          sent += 1;
          if (sent === options.stopAtRequest) interrupt.abort(new Interrupted(130));
          init.signal?.throwIfAborted();
          return (options.fetch ?? serve)(url, init);
        },
        now: () => T0 + seconds * 1000 + skewMs,
        async sleep(ms) {
          sleeps += 1;
          if (sleeps === options.stopAt) interrupt.abort(new Interrupted(130));
          interrupt.signal.throwIfAborted();
          seconds += ms / 1000;
          service.at(seconds);
          await options.meanwhile?.(sleeps);
        },
        ask: async (question) => {
          stderr += question;
          return options.answer ?? '';
        },
        signal: interrupt.signal,
        credentials: options.credentials ?? (async () => KEYS),
        version: '1.2.3',
        configuredRegion: options.configuredRegion ?? (async () => undefined),
      });
      const records = () =>
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      return { code, stdout, stderr, records };
    },
  };
}
