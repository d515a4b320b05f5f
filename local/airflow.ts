import { join } from 'node:path';
import { ensurePythonEnv, PIP } from './python-env.ts';
import type { PythonEnvOptions } from './python-env.ts';

/** Installs 150 packages in 5 s where pip takes two minutes. */
const UV = 'uv==0.13.9';

export type AirflowOptions = Omit<PythonEnvOptions, 'requirements' | 'home' | 'install'> & {
  /** The root of the repository. */
  readonly root: string;
};

/**
 * Makes sure that there is an Airflow for its examples: the real one, with the two providers that they use.
 * @returns the path of its Python.
 * @throws EmulatorUnavailable when it cannot be had.
 */
export async function ensureAirflow({ root, ...options }: AirflowOptions): Promise<string> {
  return ensurePythonEnv({
    ...options,
    requirements: join(root, 'examples', 'airflow', 'requirements.txt'),
    home: { name: 'airflow', installing: 'Airflow for its examples (once; 250 MB, about half a minute)' },
    install: (python, requirements) => [
      [...PIP, UV],
      ['-m', 'uv', 'pip', 'install', '--quiet', '--no-deps', '--no-cache', '--python', python, '-r', requirements],
    ],
  });
}
