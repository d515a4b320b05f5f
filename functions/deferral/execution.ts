/** The execution that waits for a target: its name, its input, and when it wakes. */
import { createHash } from 'node:crypto';
import { nextDue } from '../core/cadence.ts';
import type { Known, Target } from '../core/target.ts';
import type { SensorCatalog } from '../sensors/registry.ts';
import { scheduleOf } from '../shard-worker/schedule.ts';
import type { DeferralDeps } from './deps.ts';
import type { PokeEvent } from './events.ts';

/** An execution may run for a year; it waits no longer than this before it hands over. */
export const LIFE_MS = 300 * 24 * 3600 * 1000;

/** The start of a generation that is younger than this may have been lost, or is on its way. */
const YOUNG_MS = 2 * 60 * 1000;

/** Characters of the hash in a name: 160 bits; a name has at most 80 characters. */
const HASH_LENGTH = 40;

/** @returns `<hash>-<generation>-<hop>`: a target's queues differ in the hash, its executions in the rest. */
export function executionName({ queue, full_hash, generation = 0, hop = 0 }: Target): string {
  const hash = createHash('sha256').update(`${queue}#${full_hash}`).digest('hex').slice(0, HASH_LENGTH);
  return `${hash}-${generation}-${hop}`;
}

/** @returns the first due strictly after an instant, both epoch ms. */
export function nextWake(sensors: SensorCatalog, target: Target, afterMs: number): number {
  return nextDue(scheduleOf(sensors, target), afterMs);
}

/**
 * @returns whether the execution of the target's generation wakes as early as the target needs it now: it wakes by what
 * it knows, and a join may have come since.
 */
export function isServed(sensors: SensorCatalog, target: Target, now: number): boolean {
  if (target.known === undefined) return false;
  return nextWake(sensors, target, now) >= nextWake(sensors, asKnown(target, target.known), now);
}

function asKnown(target: Target, known: Known): Target {
  const { max_wait: _, ...rest } = target;
  return { ...rest, ...known };
}

/** @returns whether the target's generation has just begun: its execution may be missing, and is started again by its name. */
export function isYoung({ generation = 0 }: Target, now: number): boolean {
  return now - generation < YOUNG_MS;
}

/** @returns an instant as a Wait state takes it, whole seconds: never before the due it stands for. */
export function waitUntil(dueMs: number): string {
  return new Date(Math.ceil(dueMs / 1000) * 1000).toISOString();
}

/**
 * Starts the execution of the target's generation and hop; idempotent by its name.
 * @param dueMs when it pokes first, epoch ms
 */
export async function begin({ executions, clock }: DeferralDeps, target: Target, dueMs: number): Promise<void> {
  const now = clock.now();
  const { queue, hashcode, generation = 0, hop = 0 } = target;
  const at = waitUntil(Math.min(dueMs, now + LIFE_MS));
  const input: PokeEvent = {
    kind: 'poke',
    queue,
    hashcode,
    generation,
    hop,
    pokes: 0,
    at,
    began_at: now,
    looked_at: now,
  };
  await executions.start(executionName(target), input);
}
