/** What a tick begins with: the awake targets of its shards, and what has to be looked at before anything is poked. */
import { constantDues } from '../core/cadence.ts';
import { phaseMs, targetKey } from '../core/identity.ts';
import { GRACE_MS, isSettled } from '../core/membership.ts';
import type { ShardRecord } from '../core/queue.ts';
import { codesOf } from '../core/ranges.ts';
import type { Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import { reviewMembers } from './apply.ts';
import type { WorkerDeps } from './deps.ts';
import { wakeTasks } from './due-tasks.ts';
import type { TickEvent } from './events.ts';
import { setAside } from './poison.ts';
import type { Run } from './run.ts';
import type { Watched } from './tick.ts';

/** All members are looked at once an hour, each target at a time of its own. */
const REVIEW_SECONDS = 3600;

/** One shard in a worker's hands. */
export interface LoadedShard {
  readonly record: ShardRecord;
  /** When its index entries were read, epoch ms. */
  readonly loadedAt: number;
  /** Targets that were joined in the last five minutes, dormant ones too, as far as the index shows them. */
  readonly recent: number;
  readonly watched: readonly Watched[];
  /** Target keys whose due poke was not made. */
  readonly owed: Set<string>;
  /** Instants (epoch ms) at which something but a poke is due: a task's retry, reschedule or lease. */
  readonly wakes: number[];
  /** Tasks that wait for a run of their own. */
  readonly runs: Task[];
  /** Keys of its dormant targets: nobody is seen waiting on them. */
  readonly dormant: Set<string>;
}

/** Loads shards side by side. A shard that cannot be read is left to the next tick (its record is not written). */
export async function loadShards(
  deps: WorkerDeps,
  run: Run,
  records: readonly ShardRecord[],
  event: TickEvent,
): Promise<readonly LoadedShard[]> {
  const loaded = await Promise.all(
    records.map(async (record) => {
      try {
        return await loadShard(deps, run, record, event);
      } catch (error) {
        deps.log({ message: 'shard not read', queue: record.queue, shard: record.shard, error: String(error) });
        return undefined;
      }
    }),
  );
  return loaded.filter((shard) => shard !== undefined);
}

async function loadShard(deps: WorkerDeps, run: Run, record: ShardRecord, event: TickEvent): Promise<LoadedShard> {
  const { store, clock, settings } = deps;
  const loadedAt = clock.now();
  const { from, to } = codesOf(record.shard, settings.shard_code_upper_limit, settings.shards);
  const codes = Array.from({ length: to - from }, (_, index) => from + index);
  const pages = await Promise.all(codes.map((code) => run.limit(() => store.awake(event.queue, code, loadedAt))));
  const shared = pages.flatMap((page) => page.targets);
  const targets = shared.filter(isOurs);
  const tasks = pages.flatMap((page) => page.tasks);
  const poison = pages.flatMap((page) => page.poison);
  await Promise.all(poison.map((item) => run.limit(() => setAside(deps, run, item, loadedAt))));

  const watched: Watched[] = [];
  const shard: LoadedShard = {
    record,
    loadedAt,
    recent: shared.filter(({ joined_at }) => joined_at >= loadedAt - GRACE_MS).length,
    watched,
    owed: new Set(),
    runs: [],
    dormant: new Set(),
    wakes: pages.flatMap((page) => (page.next_wake === undefined ? [] : [page.next_wake])),
  };
  const looked = targets.map((target) => look(deps, run, shard, target));
  await Promise.all(looked.filter((one) => one instanceof Promise));
  const found: Watched[] = [];
  for (const one of looked) found.push(...(one instanceof Promise ? await one : [one]));
  const resumed = await wakeTasks(deps, run, shard, tasks);
  const ours = resumed.filter(({ target }) => isOurs(target));
  const byKey = new Map([...found, ...ours].map((one) => [targetKey(one.target), one]));
  watched.push(...byKey.values());
  return shard;
}

/** Targets of the deferrable mode have an execution of their own. */
function isOurs({ mode }: Target): boolean {
  return mode === 'smart';
}

/** A target before the round: nobody's any more, asked to be checked, past a deadline, or (most are) simply waiting. */
function look(deps: WorkerDeps, run: Run, shard: LoadedShard, target: Target): Watched | Promise<readonly Watched[]> {
  if (target.dormant !== undefined) return run.limit(() => lookAtDormant(deps, shard, target, target.dormant ?? 0));
  const first = target.joined_at > shard.record.ticked_through - deps.settings.tick_seconds * 1000;
  const waiting: Watched = { target, shard, first, urgent: false };
  return wantsReview(target, shard) ? review(deps, run, waiting) : waiting;
}

async function review(deps: WorkerDeps, run: Run, waiting: Watched): Promise<readonly Watched[]> {
  const { target, shard, first } = waiting;
  try {
    const reviewed = await run.limit(() => reviewMembers(deps, target, shard.loadedAt));
    if (reviewed.kind === 'awake') return [{ target: reviewed.target, shard, first, urgent: reviewed.overdue }];
    shard.dormant.add(targetKey(target));
    return [];
  } catch (error) {
    deps.log({ message: 'members not read', target: targetKey(target), error: String(error) });
    return [waiting];
  }
}

function wantsReview(target: Target, { record, loadedAt }: LoadedShard): boolean {
  if (target.check === true || target.next_deadline < loadedAt) return true;
  const phase = phaseMs(target.hashcode, REVIEW_SECONDS);
  const since = Math.max(record.ticked_through, loadedAt - REVIEW_SECONDS * 1000);
  return constantDues(REVIEW_SECONDS, phase, since, loadedAt).length > 0;
}

/** A dormant target is looked at in every tick: a member that the index shows late wakes it. */
async function lookAtDormant(
  { store, log }: WorkerDeps,
  shard: LoadedShard,
  target: Target,
  since: number,
): Promise<readonly Watched[]> {
  const now = shard.loadedAt;
  try {
    const { tasks } = await store.members(target);
    // Where it is not as it was seen, somebody joined or asked for a look: it is looked at again in the next tick.
    if (tasks.length > 0 && (await store.wakeTarget(target))) {
      const { dormant: _, ...kept } = target;
      return [{ target: { ...kept, rev: target.rev + 1 }, shard, first: false, urgent: true }];
    }
    const isOver = tasks.length === 0 && now - since >= GRACE_MS && isSettled(target, now);
    if (isOver && (await store.deleteTarget(target))) return [];
  } catch (error) {
    log({ message: 'dormant target not looked at', target: targetKey(target), error: String(error) });
  }
  shard.dormant.add(targetKey(target));
  return [];
}
