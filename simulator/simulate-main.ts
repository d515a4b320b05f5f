/** `npm run simulate -- --seeds 2000`, `-- --seed 17`, `-- --mutants`. */
import { readArguments, wholeNumber } from './arguments.ts';
import { MUTANTS } from './mutants.ts';
import { searchMutants, simulateSeeds, tellSeed } from './random/commands.ts';

const USAGE = `usage: npm run simulate -- --seeds N [--from SEED]     random scenarios under the invariants
       npm run simulate -- --seed SEED [--mutant NAME]  one of them, told line by line
       npm run simulate -- --mutants [--within N]       which seed catches each planted fault`;

const print = (line: string): void => console.log(line);

/** @returns the exit code: 0 if all held, 1 if something did not, 2 where it cannot be told what is wanted. */
async function main(args: readonly string[]): Promise<number> {
  const read = readArguments({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      mutant: { type: 'string' },
      mutants: { type: 'boolean' },
      within: { type: 'string', default: '2000' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if ('wrong' in read) return refuse(read.wrong);
  const { seeds, from, seed, mutant, mutants, within, help } = read.values;
  if (help === true) {
    print(USAGE);
    return 0;
  }
  for (const [name, text] of Object.entries({ seeds, from, seed, within })) {
    if (text !== undefined && wholeNumber(text, 1) === undefined) {
      return refuse(`--${name} must be a whole number from 1 on, not "${text}"`);
    }
  }
  if (mutant !== undefined && !(mutant in MUTANTS)) return refuse(`no fault is called "${mutant}"`);
  if (mutants === true) return searchMutants(Number(within), print);
  if (seed !== undefined) return tellSeed(Number(seed), mutant, print);
  if (seeds !== undefined) return simulateSeeds(Number(from), Number(seeds), print);
  return refuse('nothing to do');
}

function refuse(sentence: string): number {
  print(`${sentence}\n${USAGE}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
