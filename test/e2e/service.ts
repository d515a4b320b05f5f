import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { createClients } from '../../local/demo/clients.ts';
import type { Clients } from '../../local/demo/clients.ts';
import { readRuns } from '../../local/demo/worker-logs.ts';
import { IDENTITY } from '../../local/identity.ts';
import { STACK } from '../../local/service.ts';
import { createApi } from './api.ts';
import type { Api } from './api.ts';
import { openExecutions } from './executions.ts';
import type { Executions } from './executions.ts';
import { openTable } from './table.ts';
import type { Table } from './table.ts';
import { until } from './until.ts';
import type { Limits } from './until.ts';

/** Between two ticks that a test asks for, ms: a worker has come and gone by then. */
const TICK_EVERY_MS = 4_000;
/** What a wait takes at worst: the schedule's own tick came first and left nothing due for a minute. */
const TICK_LIMIT_MS = 100_000;

/** The service that stands deployed on the emulator, and the world that it watches. */
export interface Service {
  readonly api: Api;
  /** Base URL of the AWS services. */
  readonly endpoint: string;
  /** With a slash at its end. */
  readonly apiUrl: string;
  readonly submitAndWaitArn: string;
  /** The state machine of mode deferrable. */
  readonly deferralArn: string;
  readonly table: Table;
  readonly clients: Clients;
  readonly emrEndpoint: string;
  readonly busName: string;
  /** Executions of SubmitAndWait. */
  readonly executions: Executions;
  /** @returns a name that nothing else has, for ids, keys and buckets. */
  readonly unique: (what: string) => string;
  /** @returns a queue that nothing else uses. */
  queue(): string;
  /** As `until`, with a tick before the first look and again while it goes on. */
  tickUntil<Seen>(look: () => Promise<Seen>, isRight: (seen: Seen) => boolean, limits?: Limits): Promise<Seen>;
  /** @returns the calls to the outside that a queue's workers have made, first pokes included, by their own logs. */
  calls(queue: string): Promise<number>;
  /** @returns when ticks of a queue's workers began, by their own logs, epoch ms. */
  ticks(queue: string): Promise<readonly number[]>;
  /** Puts the queues to sleep, so that no later tick looks after them, and closes the clients. */
  leave(): Promise<void>;
}

const Outputs = z.object({
  ApiUrl: z.string(),
  TableName: z.string(),
  BusName: z.string(),
  DispatcherName: z.string(),
  SubmitAndWaitArn: z.string(),
  DeferralArn: z.string(),
});

/** @returns the service of the environment. @throws Error naming what is not set. */
export function connect(): Service {
  const endpoint = variable('AWS_ENDPOINT_URL');
  const emrEndpoint = variable('AWS_ENDPOINT_URL_EMR');
  const outputs = Outputs.parse(JSON.parse(readFileSync(variable('SENSORIUM_OUTPUTS'), 'utf8')));
  const clients = createClients(endpoint, emrEndpoint);
  const table = openTable(endpoint, outputs.TableName);
  const executions = openExecutions(endpoint, outputs.SubmitAndWaitArn);
  const lambda = new LambdaClient({ ...IDENTITY, endpoint });
  const connectedAt = Date.now();
  const queues: string[] = [];

  const unique = (what: string): string => `e2e-${what}-${randomBytes(4).toString('hex')}`;

  const runs = (queue: string) => readRuns(clients.cloudFormation, endpoint, STACK, queue, connectedAt);

  /** The schedule does the same, about once a minute. */
  async function tick(): Promise<void> {
    const answer = await lambda.send(new InvokeCommand({ FunctionName: outputs.DispatcherName }));
    if (answer.FunctionError !== undefined) throw new Error(answer.Payload?.transformToString());
  }

  return {
    api: createApi(outputs.ApiUrl),
    endpoint,
    apiUrl: outputs.ApiUrl,
    submitAndWaitArn: outputs.SubmitAndWaitArn,
    deferralArn: outputs.DeferralArn,
    table,
    clients,
    emrEndpoint,
    busName: outputs.BusName,
    executions,
    unique,
    queue() {
      const name = unique('queue');
      queues.push(name);
      return name;
    },
    async tickUntil(look, isRight, limits = {}) {
      let tickAt = 0;
      const tickAndLook = async () => {
        if (Date.now() >= tickAt) {
          await tick();
          tickAt = Date.now() + TICK_EVERY_MS;
        }
        return look();
      };
      return until(tickAndLook, isRight, { limitMs: TICK_LIMIT_MS, ...limits });
    },
    async calls(queue) {
      return (await runs(queue)).calls;
    },
    async ticks(queue) {
      return (await runs(queue)).ticksAt;
    },
    async leave() {
      for (const name of queues) await table.sleep(name);
      const { cloudFormation, emr, events, s3, sqs } = clients;
      for (const client of [lambda, cloudFormation, emr, events, s3, sqs]) client.destroy();
      table.close();
      executions.close();
    },
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: these tests run against a deployed service (npm test)`);
  return value;
}
