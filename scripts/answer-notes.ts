/** What the fields of answers mean, by name: they mean the same in each. Those of a task as it was submitted stand in notes.ts. */
import type { Notes } from '../functions/api/schemas/notes.ts';

const TASK: Notes = {
  state: 'Where it stands. `success`, `failed`, `skipped` and `removed` are ends.',
  reason: 'Why it is in its state: the text of the last failure, or of its end.',
  result: 'What the poke that ended it brought, or its worker.',
  try_id: '`<id>~<try_number>`: names the current try on the execution API.',
  try_number: 'The current try: 1, 2, ...',
  max_tries: 'How many tries may follow the first; a clear raises it.',
  hashcode: 'Equal conditions have the same: a decimal text of 63 bits.',
  shardcode: 'The hashcode modulo `shard_code_upper_limit`.',
  created_at: 'When it was submitted.',
  updated_at: 'When its record was written last.',
  started_at: 'When its current try began.',
  deadline: 'When the patience of the current try ends; nothing moves it.',
  ended_at: 'When it ended.',
  next_retry_at: 'When its next try begins.',
  owner: 'The outside worker that runs the current try.',
  heartbeat_at: 'When that worker was heard of last.',
  cancel: 'Of a removed task with `cancel_on_kill`: how far ending the watched work has come.',
  history: 'The latest transitions, oldest first: when, from what to what, in which try, why, and by whom.',
};

const EXPLAIN: Notes = {
  summary: 'How it stands, in a sentence.',
  mode_reason: 'Why `auto` took this mode.',
  next_poke: 'When it is poked next; null: nobody pokes it now.',
  next_poke_rule: 'By which rule it is then, with the numbers of the rule in seconds.',
  last_observation:
    'What the poke said that last said something new. With estimated: no poke has, nothing was there at the last one. null: none was made.',
  last_poke:
    'About when it was last poked: what finds nothing new is not written, and follows from how far ticks have come.',
  limited_by:
    'What its queue asked for in the last tick, where the concurrency that all queues share (`max_concurrency`) had no room for it: polls and runs may come later.',
  short_of_calls: 'Its rate budget had no room for its poke: it is owed, and comes first in the next tick.',
  unknown_since: 'Since when no poke has had an answer.',
  target:
    'The record that equal waits share, and how many tasks do (of the first page of an index; `more`: there are more).',
  retry: 'Of a task that is up for retry: how its delay came about, in seconds.',
  untold:
    'Who has not been told of its state yet: the bus, or an execution that waits with a task token (one each), how often it was refused, the name of the last error, and when it is told again.',
  cost: 'What the wait costs: calls of the watched API and dollars, its share; a model, not a bill.',
  shared_by: 'How many tasks share the cost.',
};

const QUEUE: Notes = {
  name: 'The name of the queue.',
  idle: 'Whether it has nothing to do and is left alone.',
  active_at: 'When something last happened to it.',
  due: 'Pokes and runs that fell due in its last tick.',
  held: 'Runs that hold a lease.',
  waiting: 'Targets that wait.',
  dormant: 'Targets that nobody waits for any more, and that are about to be forgotten.',
  owed: 'Pokes that the budget left out, and that come first in the next tick.',
  workers: 'Workers of the last tick: wanted and why, and running now.',
  rates: 'Calls per second now: below the budget where throttling has lowered it.',
};

const ESTIMATE: Notes = {
  prices: 'Dollars per million of each, and per GB-second; `source` says when and where they were read.',
  auto: 'The mode that `auto` would take, and why.',
  modes: 'What it would cost in each mode; `detection_delay` is how late its end is noticed at the worst, seconds.',
};

const OTHERS: Notes = {
  tasks: 'The tasks of this page.',
  next: 'The token of the next page; missing: this was the last.',
  queues: 'The queues, by name.',
  results: 'One for each task, in order: with the status 201 its `task`, else its `problem`.',
  should_retry: 'Whether a failure of this try would be retried.',
  title: 'The name of the status.',
  status: 'The HTTP status.',
  detail: 'What is wrong, in a sentence.',
  field: 'The field that is wrong, if it is one: `sensor.key`, `tasks[3].id`.',
  errors: 'All that is wrong, where it is more than the first.',
  openapi: 'The version of OpenAPI.',
  info: 'The title, the version of the service, the license.',
};

export const ANSWER_NOTES: Notes = { ...TASK, ...EXPLAIN, ...QUEUE, ...ESTIMATE, ...OTHERS };
