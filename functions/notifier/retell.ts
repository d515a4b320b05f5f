/**
 * Tells again who has not been told (docs/adr/0024): a tick of the dispatcher invokes it where a mark is due. A run that
 * dies between telling and forgetting tells twice, as does one that comes twice; both are harmless.
 */
import * as z from 'zod/mini';
import { tokenDigest } from '../core/identity.ts';
import { isTerminal } from '../core/task.ts';
import { RECEIVERS, refusedAgain } from '../core/untold.ts';
import type { Receiver, Untold } from '../core/untold.ts';
import { counted, metricLine } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { PageKey } from '../store/table.ts';
import { tell } from './callbacks.ts';
import { deliver } from './deliver.ts';
import type { Refused, Send } from './deliver.ts';
import type { NotifierDeps } from './notifier.ts';
import { isTooMuch, nameOf, toBus } from './receivers.ts';

export const retellEvent = z.strictObject({ kind: z.literal('retell') });

export type RetellEvent = z.infer<typeof retellEvent>;

export interface RetellDeps extends Omit<NotifierDeps, 'store'> {
  readonly store: Pick<Store, 'untold' | 'putOffUntold' | 'forgetUntold' | 'task' | 'quarantine'>;
}

/** A run ends before the next tick begins another one, ms. */
const BUDGET_MS = 45_000;

/** Marks a page. */
const PAGE = 100;

/** A receiver that refuses this many pieces in a row is down: the other marks stay due, and the next tick goes on. */
const PATIENCE = 3;

interface Count {
  told: number;
  refused: number;
  poison: number;
}

/** @returns a function that tells what is due, as far as there is time and the receivers take it. */
export function createRetell(deps: RetellDeps): (event: unknown) => Promise<void> {
  return async (event) => {
    retellEvent.parse(event);
    const { clock, log, settings } = deps;
    const now = clock.now();
    const count: Count = { told: 0, refused: 0, poison: 0 };
    const outcomes = await Promise.allSettled(RECEIVERS.map((receiver) => retell(deps, receiver, now, count)));
    const metrics = counted({ alerts_sent: count.told, alerts_put_off: count.refused, poison: count.poison });
    log(metricLine(settings.metrics_namespace, {}, metrics, { message: 'told again' }, clock.now()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

/** Tells one receiver what is due at an instant. What is done with each mark is written as soon as its piece is told. */
async function retell(deps: RetellDeps, receiver: Receiver, now: number, count: Count): Promise<void> {
  const { store, clock, log } = deps;
  const isOver = (): boolean => clock.now() >= now + BUDGET_MS;
  const send = receiver === 'bus' ? marksToBus(deps) : marksToExecutions(deps);
  const sendAndNote: Send<Untold> = async (piece) => {
    const refused = await send(piece);
    const open = new Set(refused.map(({ item }) => item));
    const told = piece.filter((mark) => !open.has(mark));
    await Promise.all(told.map((mark) => store.forgetUntold(mark)));
    const at = clock.now();
    await store.putOffUntold(refused.map(({ item, why }) => ({ seen: item, next: refusedAgain(item, why, at) })));
    count.told += told.length;
    count.refused += refused.length;
    return refused;
  };
  let next: PageKey | undefined;
  do {
    const page = await store.untold(receiver, { until: now, limit: PAGE, next });
    for (const poison of page.poison) {
      log({ message: 'poison', ...poison });
      await store.quarantine(poison, now);
    }
    count.poison += page.poison.length;
    const { untried } = await deliver(page.marks, sendAndNote, PATIENCE, isOver);
    if (untried.length > 0) return;
    next = page.next;
  } while (next !== undefined && !isOver());
}

function marksToBus({ bus }: RetellDeps): Send<Untold> {
  const send = toBus(bus);
  return async (piece) => {
    const marks = new Map(piece.map((mark) => [mark.fact, mark]));
    const refused = await send([...marks.keys()]);
    return refused.flatMap(({ item, why }) => {
      const mark = marks.get(item);
      return mark === undefined ? [] : [{ item: mark, why }];
    });
  };
}

function marksToExecutions(deps: RetellDeps): Send<Untold> {
  return async (piece) => (await Promise.all(piece.map((mark) => markToExecution(deps, mark)))).flat();
}

/** The token stands in the task's record: where that is gone, or has forgotten it, nobody is left to be told. */
async function markToExecution({ store, callbacks }: RetellDeps, mark: Untold): Promise<readonly Refused<Untold>[]> {
  const { fact, why } = mark;
  const { state } = fact;
  const result = isTooMuch(why) ? undefined : mark.result;
  try {
    const task = await store.task(fact.task_id);
    const token = task?.callback_tokens?.find((one) => tokenDigest(one) === mark.token);
    if (token !== undefined && isTerminal(state)) await tell(callbacks, { token, state, detail: fact, result });
    return [];
  } catch (error) {
    return [{ item: mark, why: nameOf(error) }];
  }
}
