import {
  DeleteRuleCommand,
  type EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

const Message = z.object({ detail: z.object({ id: z.string(), task_id: z.string(), state: z.string() }) });

const BATCH = 10;
const RECEIVERS = 2;
const PAUSE_MS = 500;

export type Alert = z.output<typeof Message>['detail'];

/** What the bus has told of one queue's tasks. */
export interface Alerts {
  /** How often each fact was delivered, by its id. */
  readonly deliveries: ReadonlyMap<string, number>;
  /** Each fact once, in the order of arrival. */
  readonly received: readonly Alert[];
  /** Rejects if events cannot be received any more. */
  readonly failed: Promise<never>;
  /** Takes the rule and the queue away. */
  remove(): Promise<void>;
}

/** Subscribes an SQS queue to the bus: to the events of one queue's tasks. */
export async function subscribe(
  { sqs, events }: { readonly sqs: SQSClient; readonly events: EventBridgeClient },
  bus: string,
  run: string,
): Promise<Alerts> {
  const name = `sensorium-${run}`;
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const asked = { QueueUrl, AttributeNames: ['QueueArn' as const] };
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
  const arn = Attributes?.['QueueArn'] ?? '';
  const Policy = JSON.stringify(policy(arn));
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  const EventPattern = JSON.stringify({ 'detail-type': ['Task State Changed'], detail: { queue: [run] } });
  await events.send(new PutRuleCommand({ Name: name, EventBusName: bus, EventPattern }));
  await events.send(new PutTargetsCommand({ Rule: name, EventBusName: bus, Targets: [{ Id: 'demo', Arn: arn }] }));

  const deliveries = new Map<string, number>();
  const received: Alert[] = [];
  const closed = new AbortController();
  const note = (alert: Alert): void => {
    const before = deliveries.get(alert.id) ?? 0;
    deliveries.set(alert.id, before + 1);
    if (before === 0) received.push(alert);
  };
  const receivers = Array.from({ length: RECEIVERS }, () => receive(sqs, QueueUrl, note, closed.signal));
  const failed = Promise.all(receivers).then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  return {
    deliveries,
    received,
    failed,
    async remove() {
      closed.abort();
      await Promise.allSettled(receivers);
      await events.send(new RemoveTargetsCommand({ Rule: name, EventBusName: bus, Ids: ['demo'] }));
      await events.send(new DeleteRuleCommand({ Name: name, EventBusName: bus }));
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
}

async function receive(
  sqs: SQSClient,
  QueueUrl: string,
  note: (alert: Alert) => void,
  closed: AbortSignal,
): Promise<void> {
  while (!closed.aborted) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: BATCH }));
    for (const { Body = '' } of Messages) note(Message.parse(JSON.parse(Body)).detail);
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    if (Messages.length < BATCH) await sleep(PAUSE_MS, undefined, { signal: closed }).catch(() => undefined);
  }
}

/** Without it a bus of AWS may not put anything into the queue. */
function policy(arn: string): object {
  const Principal = { Service: 'events.amazonaws.com' };
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: arn }],
  };
}
