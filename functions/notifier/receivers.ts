/** Who is told: the bus, and the executions that wait with a task token. Of an error only the name is kept. */
import type { Fact } from '../core/untold.ts';
import type { Callbacks } from '../ports.ts';
import { tell } from './callbacks.ts';
import type { Callback } from './callbacks.ts';
import type { Refused, Send } from './deliver.ts';

/** Where events go. */
export interface Bus {
  /** Publishes up to 10 events. @returns those that were refused, with the error's name. Rejects when none was taken. */
  publish(events: readonly Fact[]): Promise<readonly { readonly event: Fact; readonly why: string }[]>;
}

export function toBus(bus: Bus): Send<Fact> {
  const send: Send<Fact> = async (piece) => {
    try {
      return (await bus.publish(piece)).map(({ event, why }) => ({ item: event, why }));
    } catch (error) {
      const why = nameOf(error);
      // Ten are too much for a call where one is, or all together are: each goes alone.
      if (isTooMuch(why) && piece.length > 1) return (await Promise.all(piece.map((one) => send([one])))).flat();
      return piece.map((item) => ({ item, why }));
    }
  };
  return send;
}

export function toExecutions(callbacks: Callbacks): Send<Callback> {
  return async (piece) => {
    const answers = await Promise.all(
      piece.map(async (item): Promise<Refused<Callback>[]> => {
        try {
          await tell(callbacks, item);
          return [];
        } catch (error) {
          return [{ item, why: nameOf(error) }];
        }
      }),
    );
    return answers.flat();
  };
}

/** @returns whether an error says that the receiver does not take what it is told, and will not. */
export function isTooMuch(why: string): boolean {
  return why === 'ValidationException' || why === 'InvalidOutput';
}

/** The name alone: a message may repeat what was sent, and that is a token. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no answer';
}
