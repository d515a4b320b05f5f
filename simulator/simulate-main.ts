/** `npm run simulate -- --seeds 2000`, `-- --seed 17`, `-- --mutants`. */
import { parseArgs } from 'node:util';
import { searchMutants, simulateSeeds, tellSeed } from './random/commands.ts';

const USAGE = `usage: npm run simulate -- --seeds N [--from SEED]     random scenarios under the invariants
       npm run simulate -- --seed SEED [--mutant NAME]  one of them, told line by line
       npm run simulate -- --mutants [--within N]       which seed catches each planted fault`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean' },
    within: { type: 'string', default: '2000' },
  },
});

const print = (line: string): void => console.log(line);

if (values.mutants === true) process.exitCode = await searchMutants(Number(values.within), print);
else if (values.seed !== undefined) process.exitCode = await tellSeed(Number(values.seed), values.mutant, print);
else if (values.seeds !== undefined)
  process.exitCode = await simulateSeeds(Number(values.from), Number(values.seeds), print);
else {
  print(USAGE);
  process.exitCode = 2;
}
