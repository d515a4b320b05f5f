/** Plays submits on a stage of the simulator and counts what they cost. */
import { DEFAULT_SETTINGS } from '../functions/settings.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import type { Log } from '../functions/ports.ts';
import type { Task } from '../functions/core/task.ts';
import { createMeter } from './meter.ts';
import type { Meter } from './meter.ts';
import type { Fault, World } from '../simulator/format.ts';
import type { Invoked } from '../simulator/invocations.ts';
import { request } from '../simulator/play.ts';
import { seeded } from '../simulator/random.ts';
import { createStage } from '../simulator/stage.ts';
import type { Stage } from '../simulator/stage.ts';

/** Second 0 of every bench. */
export const START = Date.parse('2024-01-01T00:00:00Z');

/** So many tasks a submit: what one batch of the stream, one tick handles together. */
const TOGETHER = 100;

export type Body = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Play {
  /** What is submitted, and in which second. */
  readonly submits: readonly { readonly at: number; readonly tasks: readonly Body[] }[];
  /** The second at which it ends. */
  readonly until: number;
  readonly world?: Partial<World>;
  readonly faults?: readonly Fault[];
  readonly settings?: Partial<ServiceSettings>;
  readonly log?: Log;
  /** Has the reads counted too, which takes its time. @default false */
  readonly metered?: boolean;
  /** Called before anything happens. */
  readonly watch?: (stage: Stage, meter: Meter) => void;
}

export interface Played {
  readonly stage: Stage;
  readonly meter: Meter;
  /** Every submitted task as it stands in the end. */
  readonly tasks: readonly Task[];
  /** Every invocation that has ended. */
  readonly invoked: readonly Invoked[];
}

const NOTHING: World = { s3: {}, emr: {}, glue: {}, http: {}, events: [] };

/** @throws where a submit was refused or an invocation failed: then nothing that was counted means anything. */
export async function playOut(play: Play): Promise<Played> {
  const meter = createMeter();
  const stage = createStage({
    start: START,
    settings: { ...DEFAULT_SETTINGS, ...play.settings },
    world: { ...NOTHING, ...play.world },
    faults: play.faults ?? [],
    random: seeded('bench'),
    ...(play.log === undefined ? {} : { log: play.log }),
    ...(play.metered === true ? { rig: { table: meter.table } } : {}),
  });
  stage.onChange(meter.onChange);
  const invoked: Invoked[] = [];
  stage.invocations.onEnd((one) => invoked.push(one));
  play.watch?.(stage, meter);
  const refused: string[] = [];
  for (const { at, tasks } of play.submits) {
    stage.time.at(START + at * 1000, 'step', () => void submitAll(stage, tasks, refused));
  }
  await stage.time.runUntil(START + play.until * 1000);
  const [trouble] = [...refused, ...stage.invocations.errors];
  if (trouble !== undefined) throw new Error(`the simulation went wrong: ${trouble}`);
  const ids = play.submits.flatMap(({ tasks }) => tasks.map(({ id }) => id));
  const tasks = await stage.store.tasks(ids);
  if (tasks.length < ids.length) throw new Error(`${ids.length - tasks.length} of ${ids.length} tasks are missing`);
  return { stage, meter, tasks, invoked };
}

async function submitAll(stage: Stage, tasks: readonly Body[], refused: string[]): Promise<void> {
  const calls: Promise<void>[] = [];
  for (let from = 0; from < tasks.length; from += TOGETHER) {
    calls.push(submit(stage, tasks.slice(from, from + TOGETHER), refused));
  }
  await Promise.all(calls);
}

async function submit(stage: Stage, tasks: readonly Body[], refused: string[]): Promise<void> {
  const { status, body } = await request(stage, 'POST', '/v1/tasks', { tasks });
  const { results = [] } = body as { readonly results?: readonly { readonly status: number }[] };
  if (status === 201 && results.every((result) => result.status === 201)) return;
  refused.push(`${status} ${JSON.stringify(body).slice(0, 300)}`);
}

/** @returns how long after its condition held each of the tasks had ended, seconds. @throws where one has not. */
export function delays(tasks: readonly Task[], heldAt: (task: Task) => number): readonly number[] {
  return tasks.map((task) => {
    if (task.state !== 'success' || task.ended_at === undefined) throw new Error(`${task.id} is ${task.state}`);
    return (task.ended_at - START) / 1000 - heldAt(task);
  });
}

/** @returns a list of so many things. */
export function times<Thing>(count: number, make: (index: number) => Thing): Thing[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
