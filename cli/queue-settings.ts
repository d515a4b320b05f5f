/** A queue's settings as flags. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Queue, QueueSettings } from '../client/index.ts';
import { seconds, wholeNumber } from './options.ts';

export interface SettingsOptions {
  readonly workerConcurrency?: number;
  readonly minWorkers?: number;
  readonly maxWorkers?: number;
  readonly cooldownSeconds?: number;
  readonly budget?: Readonly<Record<string, number>>;
  readonly paused?: boolean;
  /** `false`: no limit any more. */
  readonly maxActiveTasks?: number | false;
  readonly defaults?: boolean;
}

export function addSettings(command: Command): Command {
  return command
    .option('--worker-concurrency <number>', 'pokes that one worker takes in a tick', wholeNumber(1))
    .option('--min-workers <number>', 'workers at the least', wholeNumber(0))
    .option('--max-workers <number>', 'workers at the most', wholeNumber(1))
    .option('--cooldown-seconds <duration>', 'how long one stays on the way to none', seconds)
    .option('--budget <api=rate...>', 'calls per second of an API (s3) or operation (emr:ListSteps)', budget)
    .option('--paused', 'nothing of it is poked and nothing begins')
    .option('--no-paused', 'it goes on')
    .option('--max-active-tasks <number>', 'a submit beyond it is refused', wholeNumber(1))
    .option('--no-max-active-tasks', 'no such limit')
    .option('--defaults', 'begin with the defaults, not with what is set now');
}

function budget(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, name, rate] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be api=calls per second (s3=200).');
  return { ...before, [name]: Number(rate) };
}

/** @returns the settings that a queue gets: those it has, with those that were named. */
export function settingsOf(options: SettingsOptions, before: QueueSettings): QueueSettings {
  const { maxActiveTasks: limit, budget: budgets } = options;
  const { max_active_tasks, ...others } = before;
  const most = limit ?? max_active_tasks ?? false;
  return {
    ...others,
    ...named('worker_concurrency', options.workerConcurrency),
    ...named('min_workers', options.minWorkers),
    ...named('max_workers', options.maxWorkers),
    ...named('cooldown_seconds', options.cooldownSeconds),
    ...named('budgets', budgets && { ...before.budgets, ...budgets }),
    ...named('paused', options.paused),
    ...(most === false ? {} : { max_active_tasks: most }),
  };
}

function named(name: keyof QueueSettings, value: unknown): QueueSettings {
  return value === undefined ? {} : { [name]: value };
}

/** @returns what an operator has set of a queue: the API sets all of it at once. */
export function settingsOfQueue(queue: Queue): QueueSettings {
  const { worker_concurrency, min_workers, max_workers, cooldown_seconds, budgets, paused, max_active_tasks } = queue;
  const most = max_active_tasks === undefined ? {} : { max_active_tasks };
  return { worker_concurrency, min_workers, max_workers, cooldown_seconds, budgets, paused, ...most };
}
