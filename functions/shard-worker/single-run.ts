import type { QueueRecord } from '../core/queue.ts';
import { ratesNow } from '../core/rates.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Clock } from '../ports.ts';
import { createCallBudget } from './call-budget.ts';
import type { BookedCall, BudgetDeps } from './booked-calls.ts';
import { createRun } from './run.ts';
import type { Run } from './run.ts';

/** A call that finds no room in the budget within so long is not made: the poke is left to the next tick, or due time. */
const PATIENCE_MS = 20_000;

interface SingleRunDeps extends BudgetDeps {
  readonly clock: Clock;
  readonly settings: Pick<ServiceSettings, 'poke_timeout_seconds'>;
}

/**
 * @param booked a call that was booked for it
 * @returns a run that pokes for one task or target: it shares its queue's rate budgets with all others of its kind
 */
export function singleRun(
  deps: SingleRunDeps,
  queue: string,
  record: QueueRecord | undefined,
  booked?: BookedCall,
): Run {
  const { clock, settings } = deps;
  const rates = ratesNow(record?.budgets ?? {}, record?.rates);
  const budget = createCallBudget(deps, { queue, rates, holder: { kind: 'run', booked } });
  return createRun(clock, budget, settings.poke_timeout_seconds * 1000, () => clock.now() + PATIENCE_MS);
}
