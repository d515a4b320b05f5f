import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Bus } from '../notifier/receivers.ts';
import { onceMoreIfStale } from '../sensors/stale-connection.ts';
import { answerInTime } from './answer-in-time.ts';

/** What consumers match on; part of the service's interface (README, events). */
const SOURCE = 'sensorium';
const DETAIL_TYPE = 'Task State Changed';

/**
 * @returns the bus with this name or ARN. Nothing is tried again here but what met a stale connection: the caller has its own
 * waits.
 */
export function eventBus(name: string): Bus {
  const client = new EventBridgeClient({ maxAttempts: 1, requestHandler: answerInTime() });
  return {
    async publish(events) {
      const entries = events.map((event) => ({
        EventBusName: name,
        Source: SOURCE,
        DetailType: DETAIL_TYPE,
        Detail: JSON.stringify(event),
        Time: new Date(event.at),
      }));
      const answer = await onceMoreIfStale(() => client.send(new PutEventsCommand({ Entries: entries })));
      // Entries are answered one by one, in order; an answer that misses one has not taken it.
      return events.flatMap((event, index) => {
        const result = answer.Entries?.[index];
        if (result?.EventId !== undefined && result.ErrorCode === undefined) return [];
        return [{ event, why: result?.ErrorCode ?? 'no answer' }];
      });
    },
  };
}
