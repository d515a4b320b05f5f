/** Plays the steps of a scenario on a stage: submits (in calls of 500, repeated like a client's), requests, checks. */
import { tryId } from '../functions/core/task.ts';
import { present } from '../functions/api/present.ts';
import type { CheckStep, RequestStep, ScenarioMode, Step, SubmitStep } from './format.ts';
import { apiEvent } from './requests.ts';
import type { Stage } from './stage.ts';

const CALL_OF = 500;
const REPEATS = 5;
const REPEAT_MS = 1000;

/** Something that did not come out as the scenario says. */
export interface Miss {
  readonly what: string;
  readonly expected: string;
  readonly came: string;
  /** The task whose timeline tells more. */
  readonly task?: string;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Makes one request now. A door that dies answers 502 as API Gateway does; an unknown route 403. */
export async function request(stage: Stage, method: string, path: string, body: unknown): Promise<Reply> {
  const event = apiEvent(method, path, body);
  if (event === undefined) return { status: 403, body: { message: 'Missing Authentication Token' } };
  const door = event.resource.startsWith('/execution') ? stage.executionApi : stage.api;
  const result = await door(event);
  return { status: result.statusCode, body: result.body === '' ? undefined : JSON.parse(result.body) };
}

/** @returns the misses of the step, when it is done. */
export function play(stage: Stage, step: Step, mode: ScenarioMode): Promise<readonly Miss[]> {
  if ('submit' in step) return playSubmit(stage, step, mode);
  if ('request' in step) return playRequest(stage, step);
  if ('opened' in step) {
    stage.open(step.opened);
    return Promise.resolve([]);
  }
  return playCheck(stage, step);
}

async function playSubmit(stage: Stage, step: SubmitStep, mode: ScenarioMode): Promise<readonly Miss[]> {
  const bodies = bodiesOf(step, mode);
  const calls: Promise<readonly Miss[]>[] = [];
  for (let from = 0; from < bodies.length; from += CALL_OF) {
    const part = bodies.slice(from, from + CALL_OF);
    calls.push(submit(stage, part.length === 1 ? part[0] : { tasks: part }));
  }
  return (await Promise.all(calls)).flat();
}

async function submit(stage: Stage, body: unknown): Promise<readonly Miss[]> {
  for (let repeat = 0; ; repeat += 1) {
    const reply = await request(stage, 'POST', '/v1/tasks', body);
    const refused = refusals(reply);
    if (refused.every((status) => status !== 503 && status !== 429 && status !== 502) || repeat === REPEATS) {
      if (refused.length === 0) return [];
      return [{ what: 'submit', expected: '201', came: JSON.stringify(reply).slice(0, 500) }];
    }
    await stage.time.clock.sleep(REPEAT_MS * 2 ** repeat);
  }
}

/** @returns the statuses that are no success, of the call or of its parts. */
function refusals({ status, body }: Reply): readonly number[] {
  if (status >= 300) return [status];
  const { results = [] } = body as { results?: readonly { status: number }[] };
  return results.map((result) => result.status).filter((one) => one >= 300);
}

/** @returns the bodies of a submit: `{copy}` filled in, the mode set where it names none. */
export function bodiesOf({ submit: body, copies }: SubmitStep, mode: ScenarioMode): readonly Record<string, unknown>[] {
  const external = (body['sensor'] as { type?: unknown } | undefined)?.type === 'external';
  const moded = 'mode' in body || mode === 'smart' || external ? body : { ...body, mode };
  if (copies === undefined) return [moded];
  const text = JSON.stringify(moded);
  return Array.from({ length: copies }, (_, index) => {
    const copy = JSON.parse(text.replaceAll('{copy}', String(index + 1))) as Record<string, unknown>;
    return { ...copy, id: `${String(body['id'])}-${index + 1}` };
  });
}

async function playRequest(stage: Stage, step: RequestStep): Promise<readonly Miss[]> {
  const { method, path, body } = step.request;
  const filled = await fillTries(stage, JSON.stringify({ path, body }));
  const asked = JSON.parse(filled) as { path: string; body?: unknown };
  const reply = await request(stage, method, asked.path, asked.body);
  const misses: Miss[] = [];
  const what = `${method} ${asked.path} at ${step.at}`;
  if (step.status !== undefined && reply.status !== step.status) {
    misses.push({ what, expected: String(step.status), came: `${reply.status} ${JSON.stringify(reply.body)}` });
  }
  if (step.body !== undefined && !holds(step.body, reply.body)) {
    misses.push({ what, expected: JSON.stringify(step.body), came: JSON.stringify(reply.body) });
  }
  return misses;
}

/** `{try:a}` is the id of the current try of task a, `{try:a:1}` that of its try 1. */
async function fillTries(stage: Stage, text: string): Promise<string> {
  let filled = text;
  for (const [whole, id = '', number] of text.matchAll(/\{try:([^}:]+)(?::(\d+))?\}/g)) {
    const task = await stage.store.task(id);
    filled = filled.replace(whole, number === undefined && task !== undefined ? tryId(task) : `${id}~${number ?? 1}`);
  }
  return filled;
}

async function playCheck(stage: Stage, step: CheckStep): Promise<readonly Miss[]> {
  const task = await stage.store.task(step.task);
  const came: unknown = task === undefined ? undefined : present(task);
  if (holds(step.is, came)) return [];
  const expected = JSON.stringify(step.is);
  return [{ what: `task ${step.task} at ${step.at}`, expected, came: partOf(step.is, came), task: step.task }];
}

/** @returns whether every field of the pattern is in the value; lists and plain values are compared whole. */
export function holds(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) {
    return JSON.stringify(pattern) === JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([name, field]) => holds(field, Reflect.get(value, name)));
}

/** @returns of a value the fields that a pattern names, as text. */
export function partOf(pattern: object, value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'no such task';
  return JSON.stringify(Object.fromEntries(Object.keys(pattern).map((name) => [name, Reflect.get(value, name)])));
}
