/** The live view of many tasks: redrawn in place on a terminal, a line a change elsewhere. */
import type { SensoriumClient, Task } from '../client/index.ts';
import { isTerminal } from '../functions/core/task.ts';
import { countsOf, countWords, pokesOf } from './outcome.ts';
import type { Session } from './session.ts';
import { count, counted, fromNow, sensorWords, stateWords } from './words.ts';

/** Conditions whose next poke is shown: each is a request. */
const NEXT_SHOWN = 3;

export interface View {
  draw(client: SensoriumClient, tasks: readonly Task[]): Promise<void>;
  /** Leaves what was drawn last. */
  end(): void;
}

export function createView({ io, out }: Session): View {
  const live = io.stdout.isTTY === true && !out.json;
  let height = 0;
  let before = '';
  return {
    async draw(client, tasks) {
      const counts = countsOf(tasks);
      const next = await nextPokes(client, tasks);
      const pokes = pokesOf(tasks, io.now());
      if (out.json) {
        out.record({ at: new Date(io.now()).toISOString(), total: tasks.length, states: counts, pokes, next });
        return;
      }
      const lines = [
        countLine(tasks, out),
        savedLine(pokes),
        ...next.map(({ next_poke: at, tasks: many, sensor }) => {
          return `  next poke ${fromNow(at, io.now())}: ${sensorWords(sensor)}${many > 1 ? ` (for ${counted(many, 'task')})` : ''}`;
        }),
      ];
      if (live) {
        // Up over what was drawn before, and down to the end of the screen cleared.
        // A line that wraps would be two.
        const [first, ...plain] = lines;
        const shown = [first, ...plain.map((line) => line.slice(0, (io.stdout.columns || 80) - 1))];
        io.stdout.write(`${height === 0 ? '' : `\u001B[${height}A`}\u001B[J${shown.join('\n')}\n`);
        height = lines.length;
        return;
      }
      const now = countWords(counts);
      if (now === before) return;
      before = now;
      for (const line of lines) out.line(line);
    },
    end() {
      height = 0;
    },
  };
}

function countLine(tasks: readonly Task[], out: Session['out']): string {
  const parts = Object.entries(countsOf(tasks)).map(([state, value]) => {
    return `${count(value)} ${stateWords(state as Task['state'], out)}`;
  });
  return `${counted(tasks.length, 'task')}: ${parts.join(', ')}`;
}

function savedLine({ alone, shared }: ReturnType<typeof pokesOf>): string {
  const share = alone === 0 ? 0 : 100 * (1 - shared / alone);
  return `  about ${counted(shared, 'poke')} in place of ${count(alone)}: ${share.toFixed(1)} % saved by sharing`;
}

interface NextPoke {
  readonly next_poke: string;
  readonly tasks: number;
  readonly sensor: Task['sensor'];
}

/** The conditions that most tasks wait for, and when they are poked next. */
async function nextPokes(client: SensoriumClient, tasks: readonly Task[]): Promise<NextPoke[]> {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    if (isTerminal(task.state) || task.state === 'up_for_retry') continue;
    const key = `${task.queue} ${task.mode} ${task.hashcode}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  const largest = [...groups.values()].toSorted((a, b) => b.length - a.length).slice(0, NEXT_SHOWN);
  const asked = largest.map(async ([first, ...more]): Promise<NextPoke[]> => {
    if (first === undefined) return [];
    const { next_poke: next } = await client.explain(first.id);
    return next ? [{ next_poke: next, tasks: 1 + more.length, sensor: first.sensor }] : [];
  });
  return (await Promise.all(asked)).flat().toSorted((a, b) => a.next_poke.localeCompare(b.next_poke));
}
