/** `GET /v1/tasks`: a queue's tasks, by state and newest first, page by page. */
import { isDeepStrictEqual } from 'node:util';
import { STATES } from '../core/task.ts';
import type { State, Task } from '../core/task.ts';
import { answerRoom } from '../payload.ts';
import type { Clock } from '../ports.ts';
import type { Choice, Store } from '../store/store.ts';
import type { Fault } from '../validation.ts';
import { validatePlain } from './body.ts';
import type { Handler, Request } from './http.ts';
import { openPlace, sealPlace } from './page-token.ts';
import type { Listing, Place } from './page-token.ts';
import { present } from './present.ts';
import { invalid, refuse } from './problem.ts';
import { parametersOf } from './query.ts';
import { listQuery } from './schemas/list.ts';
import { withinQueue } from './within-queue.ts';

interface ListDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly pageTokenKey: string;
}

/** Pages of one state and partition that are read for one answer: a page of the index may hold little. */
const MAX_READS = 30;

/**
 * The index knows no coordinates: where they are asked for, so many of its entries are looked at in a read, in so many
 * reads. An answer costs a thousand tasks at most, however few of them are wanted.
 */
const SCAN = 100;
const MAX_SCANS = 10;

/** Where the table is slow an answer holds what was found in this time, and where to go on: API Gateway waits for 29 s. */
const PATIENCE_MS = 10_000;

export function createList({ store, clock, pageTokenKey }: ListDeps): Handler {
  return async (request) => {
    const asked = withinQueue(request, valuesOf(request.query));
    if (!asked.ok) return refuse(asked.problem);
    const parsed = validatePlain(listQuery, asked.value);
    if (!parsed.ok) return refuse(invalid(parameterFaults(parsed.faults)));
    const { limit, next, state: states, ...others } = parsed.value;
    const listing: Listing = { ...others, ...(states === undefined ? {} : { states: inOrder(states) }) };
    const start = next === undefined ? placeOf(listing, statesOf(listing)[0]) : openPlace(next, pageTokenKey);
    if (start === undefined || !isOf(start, listing)) {
      return refuse(invalid([{ field: 'next', detail: 'is not the token of a page of this listing' }]));
    }
    const page = await readPage({ store, clock }, start, limit);
    const { tasks } = page;
    return {
      status: 200,
      body: page.next === undefined ? { tasks } : { tasks, next: sealPlace(page.next, pageTokenKey) },
    };
  };
}

/** States come one by one or between commas. */
function valuesOf(query: Request['query']): Record<string, unknown> {
  const { state, ...others } = query;
  const states = state?.flatMap((value) => value.split(','));
  return { ...parametersOf(others), ...(states === undefined ? {} : { state: states }) };
}

/** A query has no `state[1]`. */
function parameterFaults([first, ...more]: readonly [Fault, ...Fault[]]): readonly [Fault, ...Fault[]] {
  const named = ({ field, detail }: Fault): Fault => ({ field: field.replace(/\[\d+\]$/, ''), detail });
  return [named(first), ...more.map(named)];
}

function inOrder(states: readonly State[]): State[] {
  return STATES.filter((state) => states.includes(state));
}

function statesOf({ states }: Listing): readonly State[] {
  return states ?? STATES;
}

function placeOf(listing: Listing, at: State | undefined): Place | undefined {
  return at === undefined ? undefined : { ...listing, at };
}

function listingOf({ at: _a, position: _p, ...listing }: Place): Listing {
  return listing;
}

function isOf(place: Place, listing: Listing): boolean {
  return isDeepStrictEqual(listingOf(place), listing);
}

interface TaskPage {
  /** As the answer shows them. */
  readonly tasks: readonly object[];
  readonly next?: Place;
}

/** Fills a page from a place on, over the states that the listing has, until it holds `limit` tasks or has no room. */
async function readPage(
  { store, clock }: Omit<ListDeps, 'pageTokenKey'>,
  start: Place,
  limit: number,
): Promise<TaskPage> {
  const listing = listingOf(start);
  const { queue, dag_id, run_id } = listing;
  const states = statesOf(listing);
  const isNarrow = dag_id !== undefined || run_id !== undefined;
  const keep = ({ coordinates }: Task): boolean =>
    (dag_id === undefined || coordinates.dag_id === dag_id) && (run_id === undefined || coordinates.run_id === run_id);
  const most = isNarrow ? MAX_SCANS : MAX_READS;
  const room = answerRoom();
  const tasks: object[] = [];
  const choose = (task: Task): Choice => {
    if (!keep(task)) return 'leave';
    const shown = present(task);
    if (!room.take(shown)) return 'stop';
    tasks.push(shown);
    return 'take';
  };
  const until = clock.now() + PATIENCE_MS;
  let place: Place | undefined = start;
  for (let reads = 0; place !== undefined && tasks.length < limit && !room.isFull() && reads < most; reads += 1) {
    if (reads > 0 && clock.now() >= until) break;
    const { at, position }: Place = place;
    const page = await store.list({
      queue,
      state: at,
      limit: limit - tasks.length,
      choose,
      ...(isNarrow ? { scan: SCAN } : {}),
      ...(position === undefined ? {} : { next: position }),
    });
    if (page.next !== undefined) place = { ...listing, at, position: page.next };
    else place = placeOf(listing, states[states.indexOf(at) + 1]);
  }
  return place === undefined ? { tasks } : { tasks, next: place };
}
