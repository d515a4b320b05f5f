import { bench } from './cli.ts';
import { LINES } from './lines.ts';

process.exitCode = await bench(process.argv.slice(2), LINES, {
  print: (line) => console.log(line),
  note: (line) => console.error(line),
});
