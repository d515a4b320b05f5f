/** An explanation as a page that people read. */
import type { Explanation, Task } from '../client/index.ts';
import { endsByExecutionTimeout } from '../functions/core/states.ts';
import { counted, duration, fromNow, sensorWords } from './words.ts';

/** A line: its heading (none: it goes on, or is the title), and its text. */
type Line = readonly [heading: string, text: string];

const indented = (text: string): Line => ['', `${' '.repeat(8)}${text}`];

export function explanationPage(explained: Explanation, task: Task, now: number): Line[] {
  const { id, state, summary, try_number, max_tries, queue, mode, mode_reason, sensor } = explained;
  const tries = `try ${try_number} of ${max_tries + 1}`;
  const chosen = mode_reason === undefined ? mode : `${mode} (auto: ${mode_reason})`;
  return [
    ['', `${id} is ${state}, ${tries}`],
    ['', ''],
    ['Waits', `for ${sensorWords(sensor)}`],
    indented(`in queue ${queue}, mode ${chosen}`),
    ['Why', summary],
    ...lastLines(explained, now),
    ...nextLines(explained, now),
    ...limitLines(explained),
    ...sharedLines(explained),
    ...retryLines(explained, now),
    ...workerLines(explained, now),
    ...endLines(explained, task, now),
    ...untoldLines(explained, now),
    ...costLines(explained),
  ];
}

const WORDS = {
  met: 'met',
  not_met: 'not met yet',
  failed: 'failed: what is watched has failed',
  error: 'error: it can not be met as it is asked',
  unknown: 'unknown: no answer that says anything, which fails no task',
} as const;

function lastLines({ last_observation: last, unknown_since: since }: Explanation, now: number): Line[] {
  const lines: Line[] = [];
  if (last === null) lines.push(['Last', 'nothing new was seen since the wait began']);
  if (last) {
    const { kind, at, estimated, ...details } = last;
    const text = Object.values(details).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    // An idle poke is not written: its time is computed.
    const seen = estimated === true ? 'when it was last poked, about' : 'first seen';
    lines.push(['Last', [`${WORDS[kind]}, ${seen} ${fromNow(at, now)} (${at})`, ...text].join('; ')]);
  }
  if (since !== undefined) lines.push(indented(`no clean answer since ${since} (${fromNow(since, now)})`));
  return lines;
}

function nextLines({ next_poke: next, next_poke_rule: rule, short_of_calls: short }: Explanation, now: number): Line[] {
  if (next === undefined) return [];
  if (next === null) return [['Next', 'no poke is due']];
  if (short !== undefined) {
    const by = short.expected_by;
    const when = by === null ? 'not before its rate budget is above 0' : `${fromNow(by, now)} (about ${by}), or before`;
    const owed = `the rate budget ${short.budget ?? ''} is short: ${short.place_at_most} pokes are owed, this one among them`;
    return [['Next', when], indented(owed)];
  }
  const lines: Line[] = [['Next', `${fromNow(next, now)} (${next})`]];
  if (rule !== undefined) lines.push(indented(ruleWords(rule)));
  return lines;
}

function limitLines({ limited_by: limit }: Explanation): Line[] {
  return limit === undefined ? [] : [['Limit', limit]];
}

/** How the next poke is computed: nothing of it is stored. */
function ruleWords(rule: NonNullable<Explanation['next_poke_rule']>): string {
  switch (rule.rule) {
    case 'deadline':
      return 'computed: the last look, a moment after the deadline';
    case 'not_before':
      return `computed: nothing is asked before ${rule.at}`;
    case 'interval':
      return `computed: every ${rule.interval} s, ${rule.phase} s past the full interval, which the condition's hash gives`;
    case 'exponential':
      return `computed: pause ${rule.n} of a growing series, ${rule.base} s and ${rule.jitter} s of jitter${
        rule.cap === null ? '' : `, at most ${rule.cap} s`
      }: ${rule.delay} s after the one before`;
    case 'max_wait':
      return `computed: the pauses have grown to their longest, ${rule.interval} s`;
  }
}

/** Calls and dollars, of all who share them: a model, not a bill. */
function costLines({ cost: { so_far, until_deadline: rest } }: Explanation): Line[] {
  const words = ({ calls, dollars }: typeof so_far): string => `${counted(calls, 'call')}, $${dollars.toPrecision(2)}`;
  const more = rest === undefined ? '' : `; up to its deadline at most ${words(rest)}`;
  return [['Costs', `${words(so_far)} so far${more}`]];
}

function sharedLines({ target }: Explanation): Line[] {
  if (target === undefined) return [];
  const { tasks, more } = target;
  if (tasks <= 1 && !more) return [['Shared', 'with nobody: the poke is made for this task alone']];
  return [['Shared', `one poke for ${more ? 'more than ' : 'all '}${counted(tasks, 'task')} that wait for this`]];
}

function retryLines({ retry, reason }: Explanation, now: number): Line[] {
  if (retry === undefined) return [];
  const { base, jitter, cap, delay, next_retry_at: at } = retry;
  const when = at === null ? 'as soon as a worker comes by' : `${fromNow(at, now)} (${at})`;
  const most = cap === null ? '' : `, at most ${cap} s`;
  return [
    ['Retry', `${when}${reason === undefined ? '' : `, because: ${reason}`}`],
    indented(`computed: ${base} s and ${jitter} s of jitter${most}: ${delay} s after the try's end`),
  ];
}

function workerLines({ owner, heartbeat_at: beat, cancel }: Explanation, now: number): Line[] {
  const lines: Line[] = [];
  if (owner !== undefined) lines.push(['Worker', `${owner.unixname}@${owner.hostname}, process ${owner.pid}`]);
  if (beat !== undefined) lines.push(indented(`last heard of ${fromNow(beat, now)}`));
  if (cancel !== undefined) {
    lines.push(['Cancel', `${cancel.state}${cancel.reason === undefined ? '' : `: ${cancel.reason}`}`]);
  }
  return lines;
}

function endLines({ ended_at: ended, deadline, state }: Explanation, task: Task, now: number): Line[] {
  if (state === 'up_for_retry') return [['Ends', 'after its tries; the next one begins with a deadline of its own']];
  if (ended !== undefined) return [['Ended', `${fromNow(ended, now)} (${ended})`]];
  const lateMs = now - Date.parse(deadline);
  const when =
    lateMs > 0 ? `since ${duration(lateMs)}, at the next clean poke` : `${fromNow(deadline, now)} at the latest`;
  return [['Ends', `${when} (${deadline}), then: ${afterDeadline(task)}`]];
}

function untoldLines({ untold = [] }: Explanation, now: number): Line[] {
  return untold.map(({ receiver, since, tries, why, next_try_at: at }) => {
    const who = receiver === 'bus' ? 'the bus' : 'an execution that waits with a task token';
    const next = Date.parse(at) > now ? fromNow(at, now) : 'in the next tick';
    const refused = `refused ${counted(tries, 'time')} (${why})`;
    return ['Untold', `${who}, for ${duration(now - Date.parse(since))}: ${refused}, tried again ${next}`];
  });
}

/** What becomes of a try whose deadline passes, by the rules of the core. */
function afterDeadline(task: Task): string {
  const { soft_fail, never_fail, retry_on_timeout, try_number, max_tries } = task;
  if (never_fail) return 'skipped';
  const left = max_tries - try_number + 1;
  const isFailure = endsByExecutionTimeout(task);
  if (left > 0 && (isFailure || retry_on_timeout)) return `another try (${left} left)`;
  if (isFailure) return 'failed, by its execution_timeout';
  return soft_fail ? 'skipped' : 'failed, by its timeout';
}
