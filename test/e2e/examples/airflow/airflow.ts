/** The real Airflow, in a process of its own: play.py runs DAGs and parts of them, and says how each went. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../../../../local/process.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const EXAMPLE = join(ROOT, 'examples', 'airflow');
const PREFIX = 'PLAYED ';
const LIMIT_MS = 420_000;

/** What is played: see play.py. */
export type Play =
  | { readonly dag: string; readonly conf: Readonly<Record<string, string>> }
  | { readonly kill: string }
  | { readonly kill_running: string }
  | { readonly impatient: string }
  | { readonly addresses: readonly string[] };

/** What play.py says of a play: what a play of its kind has. */
export interface Played {
  /** Of the DAGs' folder. */
  readonly dags?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
  /** How long the stock operator waits by default. */
  readonly stock_seconds?: number;
  /** Of a DAG's run. */
  readonly state?: string;
  readonly tasks?: Readonly<Record<string, string>>;
  /** Of a trigger. */
  readonly waits?: boolean;
  readonly event?: unknown;
  /** Paths that the operator asks for, one for each id; and ids that it makes of what is none. */
  readonly sent?: readonly string[];
  readonly ids?: readonly string[];
  /** What Airflow wrote meanwhile. */
  readonly log: string;
}

export interface AirflowOptions {
  /** The Python of local/airflow.ts. */
  readonly python: string;
  readonly apiUrl: string;
  readonly stateMachineArn: string;
}

/** @returns what the DAGs' folder has to say of itself, and then each play. @throws Error with the log where one breaks. */
export async function play(plays: readonly Play[], options: AirflowOptions): Promise<readonly Played[]> {
  const home = await mkdtemp(join(tmpdir(), 'sensorium-airflow-'));
  const played: Played[] = [];
  let log: string[] = [];
  const onLine = (line: string): void => {
    if (line.startsWith(PREFIX)) {
      played.push({ ...JSON.parse(line.slice(PREFIX.length)), log: log.join('\n') });
      log = [];
    } else log.push(line);
  };
  try {
    const args = [join(import.meta.dirname, 'play.py'), JSON.stringify(plays)];
    const env = environment(home, options);
    const { code, ending } = await run(options.python, args, { cwd: home, env, timeoutMs: LIMIT_MS, onLine });
    if (code !== 0) throw new Error(`Airflow ${ending} (${code}) after ${played.length} plays:\n${log.join('\n')}`);
    return played;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** What the examples' README says has to be set. */
function environment(home: string, { apiUrl, stateMachineArn }: AirflowOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    AWS_DEFAULT_REGION: process.env['AWS_REGION'],
    AIRFLOW_HOME: home,
    AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
    AIRFLOW__CORE__DAGS_FOLDER: join(EXAMPLE, 'dags'),
    AIRFLOW__CORE__PLUGINS_FOLDER: join(EXAMPLE, 'plugins'),
    AIRFLOW_CONN_AWS_DEFAULT: JSON.stringify({ conn_type: 'aws' }),
    AIRFLOW_CONN_SENSORIUM: JSON.stringify({ conn_type: 'http', host: apiUrl }),
    AIRFLOW_VAR_SENSORIUM_API_URL: apiUrl,
    AIRFLOW_VAR_SENSORIUM_STATE_MACHINE_ARN: stateMachineArn,
    SENSORIUM_POLL_SECONDS: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
