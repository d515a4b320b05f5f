import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetters } from '../notifier/notifier.ts';

/** @returns the queue with this URL. A message is the event and why it could not be delivered. */
export function deadLetterQueue(url: string): DeadLetters {
  const client = new SQSClient({});
  return {
    async send(event, why) {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify({ why, event }) }));
    },
  };
}
