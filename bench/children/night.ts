/** A night on virtual time in a process of its own, so that what it takes is the simulator's alone. */
import type { World } from '../../simulator/format.ts';
import { seeded } from '../../simulator/random.ts';
import type { Night, NightReport } from '../lines/night.ts';
import { playOut, START, times } from '../play-out.ts';

const { keys, tasksAKey, hours } = JSON.parse(process.argv[2] ?? '') as Night;

/** Tasks come in bursts over the first hour; keys land from the second one on, the last a tick before the end. */
const BURSTS = 20;
const BURST_APART = 180;
const FIRST_LANDING = 3600;
const END = hours * 3600;

async function main(): Promise<void> {
  const random = seeded('landings of the night');
  const landsAt = times(keys, () => FIRST_LANDING + Math.floor(random() * (END - FIRST_LANDING - 120)));
  const s3: World['s3'] = Object.fromEntries(
    landsAt.map((at, n) => [`landing/part-${n}`, [{ at, present: true, size: 1 }]]),
  );
  // Every burst has a part of each key's tasks, so that keys are joined while they are poked.
  const tasks = times(keys * tasksAKey, (n) => ({
    id: `t-${n}`,
    sensor: { type: 's3_key', bucket: 'landing', key: `part-${n % keys}` },
    timeout: END,
  }));
  // Of the thread that runs it: what the machine's neighbours do changes it little, and it is the wall time of an idle machine.
  const [startedAt, cpu] = [performance.now(), process.threadCpuUsage()];
  const played = await playOut({
    submits: times(BURSTS, (burst) => ({
      at: burst * BURST_APART,
      tasks: tasks.filter((_, n) => Math.floor((n * BURSTS) / tasks.length) === burst),
    })),
    until: END,
    world: { s3 },
  });
  const { user, system } = process.threadCpuUsage(cpu);
  const delays = played.tasks.map(({ state, reason, ended_at = 0 }, n) => {
    if (state !== 'success') throw new Error(`t-${n} is ${state}: ${reason}`);
    return (ended_at - START) / 1000 - (landsAt[n % keys] ?? 0);
  });
  const report: NightReport = {
    wallMs: performance.now() - startedAt,
    cpuMs: (user + system) / 1000,
    maxRss: process.resourceUsage().maxRSS * 1024,
    calls: played.stage.ledger.allCalls(),
    writes: played.meter.writes(),
    latest: Math.max(...delays),
  };
  console.log(JSON.stringify(report));
}

void main();
