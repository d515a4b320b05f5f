/** Delivery in pieces of ten: what a receiver takes at a time, and what is lost where it takes nothing. */

/** One of what was to be told, and the name of the error that came of it. */
export interface Refused<Item> {
  readonly item: Item;
  readonly why: string;
}

/** Tells a piece. @returns what of it was refused; it never rejects for a receiver's trouble. */
export type Send<Item> = (piece: readonly Item[]) => Promise<readonly Refused<Item>[]>;

/** PutEvents takes ten entries; ten executions that are told at a time are some 300 a second, of 500 that are taken. */
const PIECE = 10;

/**
 * Tells piece by piece, and stops where the receiver seems to be down: the rest is as well told later.
 * @param patience after this many pieces in a row that were refused as a whole, no other is tried
 * @param isOver whether there is time for no other piece
 * @returns what was refused, and what was not tried
 */
export async function deliver<Item>(
  items: readonly Item[],
  send: Send<Item>,
  patience: number,
  isOver: () => boolean,
): Promise<{ readonly refused: readonly Refused<Item>[]; readonly untried: readonly Item[] }> {
  const refused: Refused<Item>[] = [];
  let inARow = 0;
  for (let from = 0; from < items.length; from += PIECE) {
    if (inARow >= patience || isOver()) return { refused, untried: items.slice(from) };
    const piece = items.slice(from, from + PIECE);
    const open = await send(piece);
    refused.push(...open);
    inARow = open.length === piece.length ? inARow + 1 : 0;
  }
  return { refused, untried: [] };
}

/** @returns a delivery that tries once more, after a wait, what was refused. */
export function twice<Item>(send: Send<Item>, wait: () => Promise<void>): Send<Item> {
  return async (piece) => {
    const open = await send(piece);
    // Whoever did not answer has had its time: others wait behind it.
    const again = open.filter(({ why }) => why !== NO_ANSWER).map(({ item }) => item);
    if (again.length === 0) return open;
    await wait();
    return [...open.filter(({ why }) => why === NO_ANSWER), ...(await send(again))];
  };
}

/** What the clients call a call that took too long. */
const NO_ANSWER = 'TimeoutError';
