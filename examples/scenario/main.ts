/**
 * Replays a scenario file and says what it would have cost, and what a polling worker for each task would have asked.
 *
 *   npx tsx examples/scenario/main.ts examples/scenario/day.json
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { playOut } from '../../bench/play-out.ts';
import type { Body } from '../../bench/play-out.ts';
import { dollarsOf, usedBy } from '../../bench/usage.ts';
import { parseScenario } from '../../simulator/format.ts';
import { bodiesOf } from '../../simulator/play.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [file = 'examples/scenario/day.json'] = positionals;
const { name, steps, until, world, faults, settings } = parseScenario(readFileSync(file, 'utf8'));

const submits = steps.flatMap((step) =>
  'submit' in step ? [{ at: step.at, tasks: bodiesOf(step, 'smart') as readonly Body[] }] : [],
);
const startedAt = performance.now();
const played = await playOut({ submits, until, world, faults, settings, metered: true });
const seconds = (performance.now() - startedAt) / 1000;

const used = usedBy(played);
const heads = played.stage.ledger.calls('s3');
/** What a sensor of its own for each task would have made, at the task's own interval. */
const alone = played.tasks.reduce(
  (sum, { started_at, ended_at = Date.parse('2024-01-01') + until * 1000, exec }) =>
    sum + Math.ceil((ended_at - started_at) / 1000 / exec.poke_interval),
  0,
);
const ends = Map.groupBy(played.tasks, ({ state }) => state);

console.log(`${name}\n`);
console.log(`tasks         ${[...ends].map(([state, tasks]) => `${tasks.length} ${state}`).join(', ')}`);
console.log(`calls         ${used.calls} (one for each task and poke: ${alone})`);
console.log(`write units   ${used.writes}`);
console.log(`invocations   ${used.invocations}, at most ${used.peakWorkers} workers at once`);
console.log(`dollars       ${dollarsOf(used, heads).toFixed(4)}`);
console.log(`replayed      ${(until / 3600).toFixed(0)} h in ${seconds.toFixed(1)} s`);
