import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { stopGroup } from '../../../local/process.ts';
import { ensurePythonEnv } from '../../../local/python-env.ts';

const STATE_DIR = resolve(import.meta.dirname, '..', '..', '..', '.sensorium');

export interface Moto {
  readonly endpoint: string;
  /** Sends a command (server.py). @returns its answer. */
  readonly tell: (command: object) => Promise<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Starts moto, an implementation of AWS that is not the emulator's; installs it once. It ends with this process. */
export async function startMoto(): Promise<Moto> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1' };
  const python = await ensurePythonEnv({
    requirements: join(import.meta.dirname, 'requirements.txt'),
    home: { name: 'moto', installing: 'moto (once; 140 MB)' },
    stateDir: STATE_DIR,
    env,
    report: () => undefined,
  });
  const child = spawn(python, [join(import.meta.dirname, 'server.py')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<Record<string, string>> => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error('moto has ended');
    return JSON.parse(value) as Record<string, string>;
  };
  const { port } = await answer();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    tell(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return answer();
    },
    stop: () => stopGroup(child),
  };
}
