/** What a role can be allowed to ask of the API, as paths that IAM compares. Its `*` matches slashes, too. */
import { QUEUE_NAME, QUEUE_NAME_RULE, ROUTES, withQueues } from '../functions/api/routes.ts';
import type { HttpMethod } from '../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';

/** To which tasks a grant is limited. */
export interface GrantProps {
  /**
   * The tasks of this queue alone, by the routes below `/v1/queues/<queue>` and `/execution/queues/<queue>`; no other route.
   * @default - all queues
   */
  readonly queue?: string;
}

/** A method and a path, with `*` for whatever stands there. */
export interface Granted {
  readonly method: HttpMethod;
  readonly path: `/${string}`;
}

export type Right = 'submit' | 'read' | 'operate' | 'execute';

const SERVED = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)];

const EXECUTE: readonly string[] = EXECUTION_ROUTES.map(({ id }) => id);

/** The routes that each right grants. */
const RIGHTS: Readonly<Record<Right, (route: (typeof SERVED)[number]) => boolean>> = {
  submit: ({ of }) => of === 'submitTasks',
  read: ({ method }) => method === 'GET',
  operate: ({ of }) => of === 'clearTask' || of === 'markTask' || of === 'removeTask' || of === 'putQueue',
  execute: ({ of }) => EXECUTE.includes(of),
};

/** @returns what a right grants, without what a shorter path grants already. @throws Error if the queue's name is none. */
export function granted(right: Right, { queue }: GrantProps = {}): readonly Granted[] {
  if (queue !== undefined) checkQueue(queue);
  const routes = SERVED.filter((route) => RIGHTS[right](route));
  const within = queue === undefined ? routes : routes.filter(({ path }) => path.includes('/queues/{name}'));
  const all = within.map(({ method, path }): Granted => {
    const asked = path.replace('{name}', queue ?? '*').replace('{id}', '*');
    return { method, path: `/${asked.slice(1)}` };
  });
  return all.filter((one) => !all.some((other) => other !== one && covers(other, one)));
}

/** @returns the name. @throws Error that says what a queue's name is. */
export function checkQueue(queue: string): string {
  if (QUEUE_NAME.test(queue)) return queue;
  throw new Error(`queue is ${JSON.stringify(queue)}; it ${QUEUE_NAME_RULE}.`);
}

/** Whether a path that ends with `*` grants all that another one does. */
function covers({ method, path }: Granted, other: Granted): boolean {
  return method === other.method && path.endsWith('/*') && other.path.startsWith(path.slice(0, -1));
}
