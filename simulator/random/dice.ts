import type { Random } from '../../functions/ports.ts';

/** What a generator asks chance for. */
export interface Dice {
  chance(probability: number): boolean;
  /** A whole number in [from, to]. */
  int(from: number, to: number): number;
  /** Seconds in [from, to), to the hundredth. */
  seconds(from: number, to: number): number;
  pick<const Value>(values: readonly [Value, ...Value[]]): Value;
}

export function createDice(random: Random): Dice {
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    chance: (probability) => random() < probability,
    int,
    seconds: (from, to) => Math.round((from + random() * (to - from)) * 100) / 100,
    pick: (values) => values[int(0, values.length - 1)] ?? values[0],
  };
}
