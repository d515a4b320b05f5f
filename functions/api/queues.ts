/** Queues: what an operator sets, and how they stand. A queue is made by its first task, or here. */
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { rateOf, ratesOf } from '../core/rates.ts';
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { readBody, validatePlain } from './body.ts';
import type { Answer, Handler } from './http.ts';
import { iso } from './present.ts';
import { invalid, notFound, problem, refuse } from './problem.ts';
import { parametersOf } from './query.ts';
import { QUEUE_NAME_RULE } from './routes.ts';
import { queueName } from './schemas/fields.ts';
import { queueBody, queuesQuery } from './schemas/queue.ts';

interface QueueDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** How often a PUT that loses against the dispatcher's own writes is decided again. */
const ROUNDS = 5;

/** Queues of a page: each costs a query of its shards. 100 with all that they may have are far below Lambda's 6 MB. */
const PAGE = 100;

/** `GET /v1/queues`: by name, page by page; `next` is the name after which the next page begins. */
export function createListQueues({ store, clock }: QueueDeps): Handler {
  return async (request) => {
    const asked = validatePlain(queuesQuery, parametersOf(request.query));
    if (!asked.ok) return refuse(invalid(asked.faults));
    const { next = '' } = asked.value;
    const queues = (await store.queues()).filter(({ name }) => name > next);
    const page = queues.slice(0, PAGE);
    const shown = await Promise.all(page.map(async (queue) => show(store, queue, clock.now())));
    return { status: 200, body: queues.length > PAGE ? { queues: shown, next: page.at(-1)?.name } : { queues: shown } };
  };
}

/** `GET /v1/queues/{name}`: 404 where nobody has used or set it up. */
export function createGetQueue({ store, clock }: QueueDeps): Handler {
  return async ({ name }) => {
    const queue = queueName.safeParse(name).success ? await store.queue(name) : undefined;
    return queue === undefined ? notFound('there is no queue of this name') : answer(store, queue, clock.now());
  };
}

/** `PUT /v1/queues/{name}`: sets all of its settings; what the service knows of it stays. */
export function createPutQueue({ store, clock }: QueueDeps): Handler {
  return async (request) => {
    if (!queueName.safeParse(request.name).success) {
      return refuse(invalid([{ field: 'name', detail: QUEUE_NAME_RULE }]));
    }
    const body = readBody(request, queueBody, { optional: true });
    if (!body.ok) return refuse(body.problem);
    for (let round = 0; round < ROUNDS; round += 1) {
      const now = clock.now();
      const seen = await store.queue(request.name);
      const { max_active_tasks: _, ...kept } = seen ?? { name: request.name, rev: 0, idle: false, active_at: now };
      const next = { ...kept, ...body.value, rev: kept.rev + 1, idle: false, active_at: now };
      if (await store.saveQueue(seen, next)) return answer(store, next, now);
    }
    return refuse(problem(503, 'the queue is being changed by others; repeat the request'));
  };
}

async function answer(store: Store, queue: QueueRecord, now: number): Promise<Answer> {
  return { status: 200, body: await show(store, queue, now) };
}

/** The settings, and how it stands: what its workers noted in their last tick. */
async function show(store: Store, queue: QueueRecord, now: number) {
  const shards = await store.shards(queue.name);
  const { decision, rates = {} } = queue;
  const sum = (of: (shard: ShardRecord) => number): number => shards.reduce((total, shard) => total + of(shard), 0);
  const limits = ratesOf(queue.budgets);
  return {
    name: queue.name,
    worker_concurrency: queue.worker_concurrency,
    min_workers: queue.min_workers,
    max_workers: queue.max_workers,
    cooldown_seconds: queue.cooldown_seconds,
    budgets: queue.budgets,
    paused: queue.paused,
    max_active_tasks: queue.max_active_tasks,
    idle: queue.idle,
    active_at: iso(queue.active_at),
    /** Pokes that fell due in the last tick; runs of ours that hold a lease; targets that wait. */
    due: decision?.queued ?? 0,
    held: decision?.running ?? 0,
    waiting: sum(({ statistics }) => statistics?.targets ?? 0),
    dormant: sum(({ forecast }) => forecast?.dormant ?? 0),
    owed: sum(({ owed }) => owed.length),
    workers: {
      wanted: decision?.desired ?? 0,
      running: new Set(shards.flatMap((shard) => heldBy(shard, now))).size,
      reason: decision?.reason,
      decided_at: decision === undefined ? undefined : iso(decision.at),
    },
    /** Calls per second now: below the budget where throttling has lowered it. */
    rates: Object.fromEntries(Object.keys(limits).map((name) => [name, rates[name] ?? rateOf(name, limits).rate])),
  };
}

function heldBy({ lease_owner, lease_until }: ShardRecord, now: number): string[] {
  return lease_owner !== undefined && (lease_until ?? 0) > now ? [lease_owner] : [];
}
