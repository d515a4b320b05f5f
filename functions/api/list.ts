/** `GET /v1/tasks`: a queue's tasks, by state and newest first, page by page. */
import { ACTIVE_STATES, STATES } from '../core/task.ts';
import type { Coordinates, State, Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';
import { validatePlain } from './body.ts';
import type { Handler, Request } from './http.ts';
import { openPlace, sealPlace } from './page-token.ts';
import type { Place } from './page-token.ts';
import { present } from './present.ts';
import { invalid, refuse } from './problem.ts';
import { listQuery } from './schemas/list.ts';

interface ListDeps {
  readonly store: Store;
  readonly pageTokenKey: string;
}

/** Pages of one state and partition that are read for one answer: a page of the index may hold little. */
const MAX_READS = 30;

export function createList({ store, pageTokenKey }: ListDeps): Handler {
  return async ({ query }) => {
    const parsed = validatePlain(listQuery, singles(query));
    if (!parsed.ok) return refuse(invalid(parsed.faults));
    const { queue, state, limit, next, ...coordinates } = parsed.value;
    const start = next === undefined ? undefined : openPlace(next, pageTokenKey);
    if (next !== undefined && (start === undefined || start.queue !== queue || start.state !== state)) {
      return refuse(invalid([{ field: 'next', detail: 'is not the token of a page of this listing' }]));
    }
    const page = await readPage(store, start ?? placeOf(queue, state, state ?? ACTIVE_STATES[0]), limit, coordinates);
    const tasks = page.tasks.map(present);
    return {
      status: 200,
      body: page.next === undefined ? { tasks } : { tasks, next: sealPlace(page.next, pageTokenKey) },
    };
  };
}

/** A parameter that is given twice is no text, and so refused by the schema. */
function singles(query: Request['query']): Record<string, unknown> {
  const entries = Object.entries(query).map(([name, values]): [string, unknown] => {
    return [name, values?.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(entries);
}

function placeOf(queue: string, state: State | undefined, at: State): Place {
  return { queue, at, ...(state === undefined ? {} : { state }) };
}

interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next?: Place;
}

/** Coordinates that the tasks of the listing have; the index does not know them. */
type Wanted = Pick<Coordinates, 'dag_id' | 'run_id'>;

function isWanted({ coordinates }: Task, { dag_id, run_id }: Wanted): boolean {
  if (dag_id !== undefined && coordinates.dag_id !== dag_id) return false;
  return run_id === undefined || coordinates.run_id === run_id;
}

/** Fills a page from a place on, over the states that the listing has. */
async function readPage(store: Store, start: Place, limit: number, wantedOf: Wanted): Promise<TaskPage> {
  const { queue, state } = start;
  const states = state === undefined ? STATES : [state];
  const tasks: Task[] = [];
  let place: Place | undefined = start;
  for (let reads = 0; place !== undefined && tasks.length < limit && reads < MAX_READS; reads += 1) {
    const { at, position }: Place = place;
    const wanted = { queue, state: at, limit: limit - tasks.length };
    const page = await store.list(position === undefined ? wanted : { ...wanted, next: position });
    tasks.push(...page.tasks.filter((task) => isWanted(task, wantedOf)));
    const after: State | undefined = states[states.indexOf(at) + 1];
    if (page.next !== undefined) place = { ...placeOf(queue, state, at), position: page.next };
    else place = after === undefined ? undefined : placeOf(queue, state, after);
  }
  return place === undefined ? { tasks } : { tasks, next: place };
}
