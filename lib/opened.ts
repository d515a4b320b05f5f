import { QUEUE_NAME, QUEUE_NAME_RULE } from '../functions/api/routes.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import { covers } from '../functions/sensors/permissions.ts';
import { checkPattern, parts } from './arn-pattern.ts';
import type { SensoriumProps } from './props.ts';

/**
 * @returns what the operator has opened to sensors, checked.
 * @throws Error naming the pattern that is none, the queue whose name is none, or what a queue may read beyond `allow`.
 */
export function openedBy({
  allow,
  queues = {},
  closed = false,
}: Pick<SensoriumProps, 'allow' | 'queues' | 'closed'>): Opened {
  const all = allow.map(checkPattern);
  const lists = Object.entries(queues).map(([name, queue]) => {
    if (!QUEUE_NAME.test(name)) throw new Error(`queues has "${name}": the name of a queue ${QUEUE_NAME_RULE}`);
    const own = queue.allow.map(checkPattern);
    const beyond = own.find((pattern) => !all.some((open) => isWithin(pattern, open)));
    if (beyond !== undefined) throw new Error(`queues.${name}.allow has ${beyond}, which allow does not open`);
    return [name, { allow: own }] as const;
  });
  return { allow: all, queues: Object.fromEntries(lists), closed };
}

/** Whether all that a pattern stands for fits another. */
function isWithin(pattern: string, open: string): boolean {
  if (open === '*') return true;
  const wide = parts(open);
  return pattern !== '*' && parts(pattern).every((part, index) => covers(wide[index] ?? '', part));
}
