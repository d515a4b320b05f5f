import type { Dice } from './dice.ts';

/** Steps and changes of the world happen in this time, seconds. */
export const HORIZON = 480;

const TICK = 60;

/** @returns a second of the scenario: often one in which a tick's work is under way, for that is where races are. */
export function moment(dice: Dice, from = 0, to = HORIZON): number {
  if (dice.chance(0.5)) return dice.seconds(from, to);
  const first = Math.ceil(from / TICK);
  const tick = dice.int(first, Math.max(first, Math.floor(to / TICK))) * TICK;
  return Math.max(from, tick + dice.seconds(0, 2));
}
