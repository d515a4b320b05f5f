/** Faults that tests plant, by name, to see that they are caught. Production code knows nothing of them. */
import { moves } from './mutants/moves.ts';
import type { Mutant } from './mutants/mutant.ts';
import { outside } from './mutants/outside.ts';
import { targets } from './mutants/targets.ts';
import { telling } from './mutants/telling.ts';
import { ticks } from './mutants/ticks.ts';

export const MUTANTS: Readonly<Record<string, Mutant>> = { ...moves, ...targets, ...ticks, ...telling, ...outside };
