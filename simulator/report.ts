/** A failed scenario in words: what was expected, what came, and the timeline of the task. */
import type { Miss } from './play.ts';
import type { Outcome } from './scenario.ts';

/** So many misses are told; a fan-out of a thousand fails a thousand times alike. */
const TOLD = 5;

/** @returns the lines of the report. */
export async function report({ misses, stage, start }: Outcome): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const miss of misses.slice(0, TOLD)) {
    lines.push(`${miss.what}: expected ${miss.expected}`, `${' '.repeat(miss.what.length)}  came     ${miss.came}`);
    lines.push(...(await timeline(stage, start, miss)));
  }
  if (misses.length > TOLD) lines.push(`and ${misses.length - TOLD} more`);
  for (const error of stage.invocations.errors.slice(0, TOLD)) lines.push(`an invocation failed: ${error}`);
  return lines;
}

async function timeline(stage: Outcome['stage'], start: number, { task: id }: Miss): Promise<readonly string[]> {
  const task = id === undefined ? undefined : await stage.store.task(id);
  return (task?.history ?? []).map(({ at, from, to, try_number, why, by }) => {
    return `  ${((at - start) / 1000).toFixed(1).padStart(9)} s  try ${try_number}  ${from} -> ${to}  (${why}; ${by})`;
  });
}
