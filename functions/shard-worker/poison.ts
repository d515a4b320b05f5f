import type { Poison } from '../store/store.ts';
import type { WorkerDeps } from './deps.ts';
import type { Run } from './run.ts';

/** Takes an item that cannot be read out of the workers' way; its reason stays with it. Stops nobody else. */
export async function setAside(
  { store, log }: Pick<WorkerDeps, 'store' | 'log'>,
  run: Run,
  poison: Poison,
  now: number,
): Promise<void> {
  run.counts.poison += 1;
  log({ message: 'poison', ...poison });
  try {
    await store.quarantine(poison, now);
  } catch (error) {
    log({ message: 'poison not quarantined', key: poison.key, error: String(error) });
  }
}
