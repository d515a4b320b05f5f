/** `npm run scenario -- FILE...`: a line a scenario and mode, and last `N passed, N failed`. */
import { readFileSync } from 'node:fs';
import { readArguments } from './arguments.ts';
import { parseScenario, ScenarioError } from './format.ts';
import { MODES_LEFT_OUT } from './modes.ts';
import { report } from './report.ts';
import { runScenario } from './scenario.ts';

const USAGE = 'usage: npm run scenario -- FILE...   (scenario files, JSON)';

/** @returns the exit code: 0 if all passed, 1 if any failed or could not be read, 2 if there is nothing to run. */
export async function simulate(args: readonly string[], print: (line: string) => void): Promise<number> {
  const read = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  const files = 'wrong' in read ? [] : read.positionals;
  if ('wrong' in read || read.values.help || files.length === 0) {
    print('wrong' in read ? `${read.wrong}; ${USAGE}` : USAGE);
    return 'values' in read && read.values.help ? 0 : 2;
  }
  let passed = 0;
  let failed = 0;
  for (const file of files) {
    try {
      const scenario = parseScenario(readFileSync(file, 'utf8'));
      for (const mode of scenario.modes) {
        if (MODES_LEFT_OUT.has(mode)) {
          print(`left out  ${file} [${mode}]: the mode is not there yet`);
          continue;
        }
        const outcome = await runScenario(scenario, mode);
        const isRight = outcome.misses.length === 0;
        if (isRight) passed += 1;
        else failed += 1;
        print(`${isRight ? 'passed' : 'FAILED'}    ${file} [${mode}]: ${scenario.name}`);
        for (const line of isRight ? [] : await report(outcome)) print(`          ${line}`);
      }
    } catch (error) {
      if (!(error instanceof ScenarioError) && !isFileError(error)) throw error;
      failed += 1;
      print(`FAILED    ${file}: ${error.message}`);
    }
  }
  print(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
