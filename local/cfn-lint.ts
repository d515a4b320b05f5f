import { join } from 'node:path';
import { ensurePythonEnv, withUv } from './python-env.ts';
import type { PythonEnvOptions } from './python-env.ts';

export type CfnLintOptions = Omit<PythonEnvOptions, 'requirements' | 'home' | 'install'>;

/**
 * Makes sure that there is a cfn-lint.
 * @returns the path of the Python that has it
 * @throws EmulatorUnavailable when it cannot be had.
 */
export async function ensureCfnLint(options: CfnLintOptions): Promise<string> {
  return ensurePythonEnv({
    ...options,
    requirements: join(import.meta.dirname, 'cfn-lint.txt'),
    home: { name: 'cfn-lint', installing: 'cfn-lint (once; 260 MB, about half a minute)' },
    install: withUv,
  });
}
