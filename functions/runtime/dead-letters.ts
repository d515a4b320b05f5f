import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetters } from '../notifier/notifier.ts';

/** @returns the queue with this URL. A message says what could not be delivered, and why; no message has a task token. */
export function deadLetterQueue(url: string): DeadLetters {
  const client = new SQSClient({});
  return {
    async send(letter) {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify(letter) }));
    },
  };
}
