/** Flags that many commands have, and how their values are read. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { pathSegment } from '../client/path.ts';
import { parseDuration } from '../functions/core/duration.ts';
import { STATES } from '../functions/core/task.ts';
import type { State } from '../functions/core/task.ts';
import { usage } from './failures.ts';

/** How the service is reached, and how answers are printed. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly url?: string;
  readonly stack?: string;
  readonly region?: string;
  readonly profile?: string;
  /** Of the commands that have it: only tasks of this queue are asked for, below it. */
  readonly queue?: string;
}

/** Stand on the program and on each command, so that they may come before or after its name. */
export function addCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON: one document, or a line for each of a list')
    .option('--url <url>', 'the base URL of the API (default: SENSORIUM_URL, or the output ApiUrl of the stack)')
    .option('--stack <name>', 'the stack whose outputs name the API (default: Sensorium)')
    .option('--region <region>', 'the AWS Region (default: AWS_REGION, or the profile)')
    .option('--profile <name>', 'the AWS profile (default: AWS_PROFILE)');
}

export const COMMON_FLAGS = ['json', 'url', 'stack', 'region', 'profile', 'help'];

/** @returns a reader of whole numbers within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
  };
}

/** @returns seconds, of a number, of one with a unit (`90`, `90s`, `5m`, `2h`, `1d`), or of ISO 8601 (`PT5M`). */
export function seconds(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  if (number === undefined) {
    const iso = parseDuration(text);
    if (iso !== undefined) return iso;
    throw new InvalidArgumentError('It must be seconds, a number with s, m, h or d (5m), or ISO 8601 (PT5M).');
  }
  const sizes: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
  return Number(number) * (sizes[unit] ?? 1);
}

/** @returns a task's id or a queue's name, as it is. */
export function pathName(text: string): string {
  try {
    pathSegment(text);
    return text;
  } catch (error) {
    throw error instanceof TypeError ? new InvalidArgumentError(`${error.message}.`) : error;
  }
}

/** @returns one more of several ids. */
export function pathNames(text: string, before: readonly string[] = []): string[] {
  return [...before, pathName(text)];
}

/** For commands that name tasks by their ids. */
export function addQueue(command: Command): Command {
  return command.option('--queue <name>', 'the queue of the task, for who may reach that queue alone', pathName);
}

/** What is asked of the API's listing. */
export interface Filter {
  readonly queue?: string;
  readonly state?: readonly State[];
  readonly dag_id?: string;
  readonly run_id?: string;
}

export interface FilterOptions {
  readonly queue?: string;
  readonly state?: readonly State[];
  readonly dag?: string;
  readonly run?: string;
}

export function addFilters(command: Command): Command {
  return command
    .option('--queue <name>', 'tasks of this queue (default: "default")', pathName)
    .addOption(new Option('--state <state...>', 'tasks in this state, or one of these').choices(STATES))
    .option('--dag <id>', 'tasks of this dag_id')
    .option('--run <id>', 'tasks of this run_id');
}

/** @returns what is asked of the API; undefined if nothing is. */
export function filterOf({ queue, state, dag, run }: FilterOptions): Filter | undefined {
  const filter = {
    ...(queue === undefined ? {} : { queue }),
    ...(state === undefined ? {} : { state }),
    ...(dag === undefined ? {} : { dag_id: dag }),
    ...(run === undefined ? {} : { run_id: run }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/**
 * Tasks are named either by their ids or by a filter; with ids, `--queue` says of which queue they are.
 * @returns the filter; undefined where they are named by ids. @throws Failure where by both or neither.
 */
export function idsOrFilter(ids: readonly string[], options: FilterOptions): Filter | undefined {
  if (ids.length > 0) {
    const { queue: _, ...others } = options;
    if (filterOf(others) === undefined) return undefined;
    throw usage('Name tasks by their ids, or choose them with --state, --dag and --run, but not both.');
  }
  const filter = filterOf(options);
  if (filter !== undefined) return filter;
  throw usage('Name a task by its id, or choose several with --queue, --state, --dag or --run.');
}
