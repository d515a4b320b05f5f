import type { SensoriumClient, State, Task } from '../client/index.ts';
import type { Filter } from './options.ts';

/** All tasks in some states, one state after the other. */
export async function* listStates(
  client: SensoriumClient,
  states: readonly State[],
  filter: Omit<Filter, 'state'>,
): AsyncGenerator<Task> {
  for (const state of states) yield* client.listAll({ ...filter, state });
}
