import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { IDENTITY } from '../identity.ts';
import { createSignedFetch } from '../signed-fetch.ts';

/** The one line of statistics that a run of a shard worker writes, and a run that makes the first pokes of deferrals. */
const Statistics = z.object({
  message: z.enum(['tick', 'first pokes', 'deferrals']),
  queue: z.string(),
  calls: z.number(),
  /** A shard worker's. */
  ms: z.number().default(0),
});
const LogEvent = z.object({ timestamp: z.number(), message: z.string() });
const Page = z.object({ events: z.array(LogEvent), nextToken: z.string().optional() });

export interface WorkerRuns {
  /** Outside calls of all runs. */
  readonly calls: number;
  /** When the ticks began, each worker's own, epoch ms. */
  readonly ticksAt: readonly number[];
}

/** @returns what the workers did for a queue since an instant, by their own logs. */
export async function readRuns(
  cloudFormation: CloudFormationClient,
  endpoint: string,
  stack: string,
  queue: string,
  since: number,
): Promise<WorkerRuns> {
  let calls = 0;
  const ticksAt: number[] = [];
  for await (const { timestamp, message } of readLogs(cloudFormation, endpoint, stack, since, '"calls"')) {
    const run = parseLine(message);
    if (run?.queue !== queue) continue;
    calls += run.calls;
    if (run.message === 'tick') ticksAt.push(timestamp - run.ms);
  }
  return { calls, ticksAt };
}

type Line = z.output<typeof LogEvent> & { readonly group: string };

/** @returns the lines of all logs of a stack since an instant, epoch ms. @param filterPattern CloudWatch's; none: all */
export async function* readLogs(
  cloudFormation: CloudFormationClient,
  endpoint: string,
  stack: string,
  since: number,
  filterPattern?: string,
): AsyncGenerator<Line> {
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stack })) {
    for (const { ResourceType, PhysicalResourceId: group } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== 'AWS::Logs::LogGroup' || group === undefined) continue;
      for await (const line of readLog(endpoint, group, since, filterPattern)) yield { group, ...line };
    }
  }
}

/** CloudWatch Logs without its client, which is used nowhere else. */
async function* readLog(
  endpoint: string,
  logGroupName: string,
  startTime: number,
  filterPattern: string | undefined,
): AsyncGenerator<z.output<typeof LogEvent>> {
  const signedFetch = createSignedFetch({ ...IDENTITY, service: 'logs' });
  let nextToken: string | undefined;
  do {
    const response = await signedFetch({
      method: 'POST',
      url: `${endpoint}/`,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Logs_20140328.FilterLogEvents' },
      body: JSON.stringify({ logGroupName, startTime, filterPattern, nextToken }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`the log group ${logGroupName} cannot be read: ${await response.text()}`);
    const { events, nextToken: next } = Page.parse(await response.json());
    yield* events;
    nextToken = next;
  } while (nextToken !== undefined);
}

/** @returns undefined for any other line. */
function parseLine(line: string): z.output<typeof Statistics> | undefined {
  const start = line.indexOf('{');
  if (start < 0) return undefined;
  try {
    return Statistics.safeParse(JSON.parse(line.slice(start))).data;
  } catch {
    return undefined;
  }
}
