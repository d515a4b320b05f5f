/** From a submitted body to the task that it describes, or to why there is none. Reads nothing, writes nothing. */
import { createHash } from 'node:crypto';
import { chooseMode } from '../core/cost.ts';
import { hashcodeOfText, identify, shardcode } from '../core/identity.ts';
import { canonicalJson } from '../core/json.ts';
import { newTask } from '../core/states.ts';
import { isExternal } from '../core/task.ts';
import type { SensorSpec, Task } from '../core/task.ts';
import { closedTo, notOpened } from '../sensors/opened.ts';
import type { Opened } from '../sensors/opened.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import { validate } from '../validation.ts';
import { readJson } from './body.ts';
import { waitOf } from './estimate.ts';
import type { Read } from './body.ts';
import type { ApiDeps } from './deps.ts';
import type { Request } from './http.ts';
import { invalid, problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { TASK_ID } from './schemas/fields.ts';
import { batchBody, coordinatesOf, executionOf, parseTask } from './schemas/task.ts';
import type { SubmittedTask } from './schemas/task.ts';

/** What a request submits: one task, or a list. The tasks are not looked at yet. */
export type Submission =
  | { readonly kind: 'one'; readonly body: unknown }
  | { readonly kind: 'batch'; readonly bodies: readonly unknown[] };

/** @returns what the body submits; a field `tasks` makes it a batch. */
export function readSubmission(request: Pick<Request, 'text'>): Read<Submission> {
  const json = readJson(request);
  if (!json.ok) return json;
  const { value } = json;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'tasks')) {
    return { ok: true, value: { kind: 'one', body: value } };
  }
  const list = validate(batchBody, value);
  if (!list.ok) return { ok: false, problem: invalid(list.faults) };
  return { ok: true, value: { kind: 'batch', bodies: list.value.tasks } };
}

/** One of a submission's tasks: its record, ready to be put; or the problem with it, and its id if it names one. */
export type Prepared =
  | { readonly ok: true; readonly task: Task; readonly named: boolean }
  | { readonly ok: false; readonly id?: string; readonly problem: Problem };

/** Bytes of one task: all of it must fit into an item, together with what is yet to come. */
const MAX_TASK_BYTES = 100_000;

/**
 * @param body what was submitted for one task
 * @param now the moment of the submit, epoch ms
 * @param by who submits
 */
export function prepare(
  { newId, settings, opened, allowCancel }: Pick<ApiDeps, 'newId' | 'settings' | 'opened' | 'allowCancel'>,
  body: unknown,
  now: number,
  by: string,
): Prepared {
  const named = idOf(body);
  const refused = (problem: Problem): Prepared => ({ ok: false, ...named, problem });
  const parsed = parseTask(body);
  if (!parsed.ok) return refused(invalid(parsed.faults));
  const submitted = parsed.value;
  // Whom to tell is no part of what is waited for: the same body with another token is the same submit.
  const { callback, ...described } = submitted;
  const { sensor, queue, tags } = described;
  const text = canonicalJson(described);
  if (Buffer.byteLength(text) > MAX_TASK_BYTES) {
    return refused(invalid([{ field: 'sensor', detail: `and the rest are longer than ${MAX_TASK_BYTES} bytes` }]));
  }
  const closed = closedProblem(opened, queue, sensor);
  if (closed !== undefined) return refused(closed);
  if (submitted.cancel_on_kill && !allowCancel && sensorCatalog.cancels(sensor)) {
    return refused(problem(403, 'the operator lets nobody cancel what is watched', { field: 'cancel_on_kill' }));
  }
  const id = submitted.id ?? newId();
  const hashcode = isExternal(submitted) ? hashcodeOfText(id) : identify(sensor).hashcode;
  const fields = {
    id,
    queue,
    ...modeOf(submitted),
    sensor,
    exec: executionOf(submitted),
    coordinates: coordinatesOf(submitted),
    ...(tags === undefined ? {} : { tags }),
    hashcode,
    shardcode: shardcode(hashcode, settings.shard_code_upper_limit),
    submit_hash: createHash('sha256').update(text).digest('hex'),
    ...(callback === undefined ? {} : { callback_tokens: [callback.task_token] }),
  };
  return { ok: true, task: newTask(fields, now, by), named: submitted.id !== undefined };
}

/** @returns the refusal of a sensor that reads what is not opened to the tasks of a queue; undefined where all is. */
export function closedProblem(opened: Opened, queue: string, sensor: SensorSpec): Problem | undefined {
  const arn = closedTo(opened, queue, sensorCatalog.resourcesOf(sensor));
  return arn === undefined ? undefined : problem(403, notOpened(arn, queue), { field: 'sensor' });
}

/** The mode that was asked for, or the one that `auto` takes, and why. Outside work is waited for by nobody of ours. */
function modeOf(submitted: SubmittedTask): Pick<Task, 'mode' | 'mode_reason'> {
  const { mode, sensor } = submitted;
  if (mode !== 'auto') return { mode };
  if (isExternal(submitted)) return { mode: 'smart', mode_reason: 'outside work needs no pokes of ours' };
  const choice = chooseMode(waitOf(sensor, executionOf(submitted)));
  return { mode: choice.mode, mode_reason: choice.why };
}

/** The id that a body names, if it is one that a task could have: for the answer, whatever else is wrong. */
export function idOf(body: unknown): { readonly id?: string } {
  if (typeof body !== 'object' || body === null || !('id' in body)) return {};
  return typeof body.id === 'string' && TASK_ID.test(body.id) ? { id: body.id } : {};
}
