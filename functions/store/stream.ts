/** The table's stream: what changed, as tasks. Both readers (router and notifier) begin here. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Task } from '../core/task.ts';
import { taskIdOf } from './keys.ts';
import { isPoison } from './poison.ts';
import type { Poison } from './store.ts';
import type { Item, Value } from './table.ts';
import { readTask } from './task-item.ts';

/** A change of a task; a missing `before` is an insert, a missing `after` a removal. */
export interface StreamChange {
  readonly before?: Task;
  readonly after?: Task;
}

type Image = Readonly<Record<string, AttributeValue>>;

/** What of a stream record is used. */
export interface StreamRecord {
  readonly dynamodb?: { readonly NewImage?: Image | undefined; readonly OldImage?: Image | undefined } | undefined;
}

/**
 * @returns the changes of tasks in a batch, in its order; what is no task is left out, and what cannot be read is told
 * apart, so that one bad item holds no batch up.
 */
export function readChanges(records: readonly StreamRecord[]): {
  readonly changes: readonly StreamChange[];
  readonly poison: readonly Poison[];
} {
  const changes: StreamChange[] = [];
  const poison: Poison[] = [];
  for (const { dynamodb } of records) {
    const after = readImage(dynamodb?.NewImage);
    const before = readImage(dynamodb?.OldImage);
    if (after !== undefined && isPoison(after)) poison.push(after);
    else if (after !== undefined || before !== undefined) {
      changes.push({
        ...(after === undefined ? {} : { after }),
        // What it was before cannot be read: as if it had not been.
        ...(before === undefined || isPoison(before) ? {} : { before }),
      });
    }
  }
  return { changes, poison };
}

function readImage(image: Image | undefined): Task | Poison | undefined {
  if (image === undefined) return undefined;
  const item = asItem(unmarshall(image));
  return item === undefined || taskIdOf(item.pk) === undefined ? undefined : readTask(item);
}

function asItem(fields: Record<string, Value>): Item | undefined {
  const { pk, ...rest } = fields;
  return typeof pk === 'string' ? { ...rest, pk } : undefined;
}
