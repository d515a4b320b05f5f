import type { SeenTask } from './judge.ts';
import type { Group, PlannedTask } from './plan.ts';

/** What the functions' logs and the EMR stand-in say of the calls that were made for the demo's tasks. */
export interface CallCounts {
  /** All calls of the sensors, those that were throttled included. */
  readonly all: number;
  /** Of EMR by operation. */
  readonly emr: Readonly<Record<string, number>>;
  /** Calls of EMR that were answered with a throttling error. */
  readonly throttled: number;
}

export interface GroupFigures {
  readonly tasks: number;
  /** How many are in each state. */
  readonly states: ReadonlyMap<string, number>;
  readonly tries: number;
  /** From what happened outside to what the task's record says, ms; missing where nothing is detected. */
  readonly medianMs?: number;
  readonly slowestMs?: number;
  /** Calls, had each task asked for itself when the service did: at the start of each try, then once an interval. */
  readonly callsAlone: number;
}

export interface Circumstances {
  /** When keys landed and steps ended, epoch ms, by what tasks wait for. */
  readonly happenedAt: ReadonlyMap<string, number>;
  /** Of all tasks, seconds. */
  readonly pokeInterval: number;
  /** When the schedule first came round, epoch ms: before, there are first pokes only, and no others are counted. */
  readonly firstTickAt: number;
}

export function figuresOf(
  planned: readonly PlannedTask[],
  seen: ReadonlyMap<string, SeenTask>,
  circumstances: Circumstances,
): ReadonlyMap<Group, GroupFigures> {
  const groups = Map.groupBy(planned, ({ group }) => group);
  return new Map(
    [...groups].map(([group, tasks]) => {
      const found = tasks.flatMap((task) => {
        const one = seen.get(task.id);
        return one === undefined ? [] : [{ task, one }];
      });
      const delays = found.flatMap(({ task, one }) => detectionMs(task, one, circumstances) ?? []).toSorted(ascending);
      const [medianMs, slowestMs] = [delays[Math.floor(delays.length / 2)], delays.at(-1)];
      const figures: GroupFigures = {
        tasks: tasks.length,
        states: new Map([...Map.groupBy(found, ({ one }) => one.state)].map(([state, all]) => [state, all.length])),
        tries: Math.max(0, ...found.map(({ one }) => one.try_number)),
        ...(medianMs !== undefined && slowestMs !== undefined && { medianMs, slowestMs }),
        callsAlone: found.reduce((sum, { one }) => sum + pokesAlone(one, circumstances), 0),
      };
      return [group, figures];
    }),
  );
}

/**
 * How long it took the service to know: until the first try's wait ended, from when the key landed or the step ended; of a
 * task that waits for what never comes, from its deadline.
 */
function detectionMs(
  { group, waitsFor }: PlannedTask,
  { history, deadline }: SeenTask,
  { happenedAt }: Circumstances,
): number | undefined {
  const happened = group === 'timeout' ? deadline : happenedAt.get(waitsFor ?? '');
  const noticed = history[1]?.at;
  return happened === undefined || noticed === undefined ? undefined : noticed - happened;
}

function pokesAlone({ history }: SeenTask, { pokeInterval, firstTickAt }: Circumstances): number {
  return history.reduce((sum, { at, to }, index) => {
    const next = history[index + 1];
    if (to !== 'sensing' || next === undefined) return sum;
    return sum + 1 + Math.floor(Math.max(0, next.at - Math.max(at, firstTickAt)) / (pokeInterval * 1_000));
  }, 0);
}

function ascending(a: number, b: number): number {
  return a - b;
}
