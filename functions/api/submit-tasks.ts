/** `POST /v1/tasks`: one task, or up to 500, as requests and answers. */
import { answerRoom, escapedBytes, MAX_ANSWER_BYTES } from '../payload.ts';
import type { ApiDeps } from './deps.ts';
import type { Answer, Handler } from './http.ts';
import { present } from './present.ts';
import { problem, refuse } from './problem.ts';
import { idOf, prepare, readSubmission } from './submission.ts';
import type { Prepared } from './submission.ts';
import { submit } from './submit.ts';
import type { Outcome } from './submit.ts';
import { taskAnswer } from './tasks.ts';
import { withinQueue } from './within-queue.ts';
import type { Within } from './within-queue.ts';

/**
 * One task: 201 with the task, also when its submit is repeated. A batch: 201 with a result for each of its tasks, as
 * soon as one of them stands; where none does, the problem that they share (422 if they differ), with the results.
 */
export function createSubmit(
  deps: Pick<ApiDeps, 'store' | 'clock' | 'newId' | 'settings' | 'opened' | 'allowCancel'>,
): Handler {
  return async (request) => {
    const submission = readSubmission(request);
    if (!submission.ok) return refuse(submission.problem);
    const { value } = submission;
    const now = deps.clock.now();
    const bodies = value.kind === 'one' ? [value.body] : value.bodies;
    const prepared = bodies.map((body): Prepared => {
      const own = withinQueue(request, body);
      if (!own.ok) return { ...own, ...idOf(body) };
      return prepare(deps, own.value, now, request.by);
    });
    const outcomes = await submit(deps.store, prepared, now);
    const [first] = outcomes;
    return value.kind === 'one' && first !== undefined ? answerOne(first, request) : answerBatch(outcomes);
  };
}

/** A result for each. Where the whole of them has no room in an answer, the last ones are told in short. */
function withinAnswer(outcomes: readonly Outcome[]): readonly object[] {
  const short = outcomes.map(shortResult);
  const room = answerRoom(MAX_ANSWER_BYTES - escapedBytes(JSON.stringify(short)));
  return outcomes.map((outcome, index) => {
    const result = outcome.ok
      ? { id: outcome.task.id, status: 201, task: present(outcome.task) }
      : { id: outcome.id, status: outcome.problem.status, problem: outcome.problem };
    return room.take(result) ? result : (short[index] ?? result);
  });
}

/** That the task stands, or the first thing that is wrong. */
function shortResult(outcome: Outcome): object {
  if (outcome.ok) return { id: outcome.task.id, status: 201 };
  const { errors: _, ...first } = outcome.problem;
  return { id: outcome.id, status: first.status, problem: first };
}

function answerOne(outcome: Outcome, { queue }: Within): Answer {
  if (!outcome.ok) return refuse(outcome.problem);
  const tasks = queue === undefined ? '/v1/tasks' : `/v1/queues/${queue}/tasks`;
  const { headers, ...answer } = taskAnswer(outcome.task, 201);
  return { ...answer, headers: { ...headers, Location: `${tasks}/${outcome.task.id}` } };
}

function answerBatch(outcomes: readonly Outcome[]): Answer {
  const results = withinAnswer(outcomes);
  const problems = outcomes.flatMap((outcome, index) => (outcome.ok ? [] : [{ index, problem: outcome.problem }]));
  const [first] = problems;
  if (first === undefined || problems.length < outcomes.length) return { status: 201, body: { results } };
  // Where one of them can be repeated the batch can; else what they have in common, or that the body is no good.
  const statuses = new Set(problems.map((one) => one.problem.status));
  const status = statuses.has(503) ? 503 : statuses.size === 1 ? first.problem.status : 422;
  const { field, detail } = first.problem;
  const where = `tasks[${first.index}]`;
  return refuse(
    problem(status, `none of the tasks was taken; ${where}: ${detail}`, {
      field: field === undefined || field === 'body' ? where : `${where}.${field}`,
      results,
    }),
  );
}
