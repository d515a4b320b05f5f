/** What users do to tasks at random moments, and external workers with theirs. */
import type { RequestStep, SubmitStep } from '../format.ts';
import type { Dice } from './dice.ts';
import { HORIZON, moment } from './moments.ts';
import { trying } from './submits.ts';
import type { Submitted } from './submits.ts';

/** Marks, clears and removes, most of them soon after the submit or in the middle of a tick. */
export function interventions(dice: Dice, submitted: readonly Submitted[]): readonly RequestStep[] {
  if (dice.chance(0.3)) return [];
  return Array.from({ length: dice.int(1, 8) }, () => {
    const { step, ids } = submitted[dice.int(0, submitted.length - 1)] ?? { step: { at: 0 }, ids: ['none'] };
    const id = ids[dice.int(0, ids.length - 1)] ?? 'none';
    const at =
      step.at + dice.pick([dice.seconds(0, 3), dice.seconds(0, 300), Math.max(0, moment(dice, step.at) - step.at)]);
    return { at, request: intervention(dice, id) };
  });
}

/** The same tasks cleared again and again, one request after the other: two at once may both be made twice. */
export function clears(dice: Dice, submitted: readonly Submitted[]): readonly RequestStep[] {
  return submitted.flatMap(({ step, ids }) => {
    const path = `/v1/tasks/${ids[0] ?? 'none'}/clear`;
    let { at } = step;
    return Array.from({ length: dice.int(3, 6) }, () => {
      at += dice.seconds(8, 40);
      return { at, request: { method: 'POST', path } };
    });
  });
}

function intervention(dice: Dice, id: string): RequestStep['request'] {
  const path = `/v1/tasks/${id}`;
  switch (dice.pick(['mark', 'clear', 'clear', 'remove'])) {
    case 'mark':
      return { method: 'POST', path: `${path}/mark`, body: { state: dice.pick(['success', 'failed', 'skipped']) } };
    case 'clear':
      return { method: 'POST', path: `${path}/clear` };
    case 'remove':
      return { method: 'DELETE', path };
  }
}

/** External tasks and their workers: they run, beat, end, come back with a stale try, come twice, or fall silent. */
export function outsideWork(dice: Dice, watched: readonly object[]): readonly (SubmitStep | RequestStep)[] {
  if (dice.chance(0.4)) return [];
  return Array.from({ length: dice.int(1, 4) }, (_, index) => oneOutside(dice, `x${index}`, watched)).flat();
}

function oneOutside(dice: Dice, id: string, watched: readonly object[]): readonly (SubmitStep | RequestStep)[] {
  const watches = watched[dice.int(0, watched.length - 1)];
  const sensor = { type: 'external', ...(watches !== undefined && dice.chance(0.4) ? { watches } : {}) };
  const at = moment(dice, 0, 300);
  const heartbeat_timeout = dice.pick([30, 60, 90, 300]);
  const body = { id, sensor, timeout: dice.int(120, 600), heartbeat_timeout, ...trying(dice) };
  const steps: (SubmitStep | RequestStep)[] = [{ at, submit: body }];
  let now = at;
  for (let round = dice.int(1, 3); round > 0; round -= 1) {
    now += dice.seconds(0.5, 200);
    steps.push(...oneRun(dice, id, now, heartbeat_timeout));
    now = steps.at(-1)?.at ?? now;
  }
  if (dice.chance(0.3)) steps.push({ at: moment(dice, at), request: intervention(dice, id) });
  return steps;
}

/** One worker's life with the current try, or with an older one. */
function oneRun(dice: Dice, id: string, from: number, heartbeatTimeout: number): readonly RequestStep[] {
  const host = { hostname: `h${dice.int(1, 2)}`, pid: dice.int(1, 2) };
  const fenced = dice.chance(0.3) ? `{try:${id}:${dice.int(1, 2)}}` : dice.pick([`{try:${id}}`, id]);
  const path = `/execution/task-instances/${fenced}`;
  const steps: RequestStep[] = [];
  const ask = (at: number, method: 'PATCH' | 'PUT', what: string, body: object): void => {
    if (at <= HORIZON + 300) steps.push({ at, request: { method, path: `${path}/${what}`, body } });
  };
  let at = from;
  ask(at, 'PATCH', 'run', { ...host, unixname: 'u' });
  if (dice.chance(0.2)) ask(at + 1, 'PATCH', 'run', { ...host, hostname: 'h3', unixname: 'u' });
  const every = heartbeatTimeout * dice.pick([0.4, 0.9, 1.1]);
  for (let beats = dice.int(0, 6); beats > 0; beats -= 1) {
    at += every;
    ask(at, 'PUT', 'heartbeat', host);
  }
  if (dice.chance(0.25)) return steps;
  at += dice.seconds(0.5, 60);
  const end = ending(dice, at);
  ask(at, 'PATCH', 'state', end);
  if (dice.chance(0.3)) ask(at + dice.seconds(0, 30), 'PATCH', 'state', end);
  return steps;
}

function ending(dice: Dice, at: number): object {
  const state = dice.pick([
    'success',
    'failed',
    'failed',
    'up_for_retry',
    'fail_without_retry',
    'skipped',
    'up_for_reschedule',
  ]);
  if (state !== 'up_for_reschedule') return { state };
  const date = Date.parse('2024-01-01T00:00:00Z') + Math.round((at + dice.int(1, 200)) * 1000);
  return { state, reschedule_date: new Date(date).toISOString() };
}
