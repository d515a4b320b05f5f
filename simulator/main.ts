import { simulate } from './cli.ts';

process.exitCode = await simulate(process.argv.slice(2), (line) => console.log(line));
