import { join } from 'node:path';
import { ensurePythonEnv, withUv } from './python-env.ts';
import type { PythonEnvOptions } from './python-env.ts';

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
    install: withUv,
  });
}
