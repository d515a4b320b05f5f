/** Who has not been told is told again: each tick looks at the marks, in whatever queue, and has those told that are due. */
import { RECEIVERS } from '../core/untold.ts';
import { metricLine } from '../metrics.ts';
import type { Invoker, Log } from '../ports.ts';
import type { RetellEvent } from '../notifier/retell.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';

interface UntoldDeps {
  readonly store: Pick<Store, 'untold'>;
  readonly notifier: Invoker<RetellEvent>;
  readonly log: Log;
  readonly settings: Pick<ServiceSettings, 'metrics_namespace'>;
}

/** Marks of a receiver that are looked at: enough to see how old they are. Each of them comes to the front in its turn. */
const LOOKED_AT = 25;

/** @returns when it is seen to; its trouble is logged and is no queue's. Where nobody is untold it says nothing. */
export async function seeToUntold({ store, notifier, log, settings }: UntoldDeps, now: number): Promise<void> {
  const { metrics_namespace: namespace } = settings;
  try {
    const pages = await Promise.all(RECEIVERS.map((receiver) => store.untold(receiver, { limit: LOOKED_AT })));
    const marks = pages.flatMap((page) => page.marks);
    // Whoever reads a page puts aside what cannot be read.
    const poison = pages.some((page) => page.poison.length > 0);
    if (marks.length > 0) {
      const untold_ms = now - Math.min(...marks.map(({ since }) => since));
      log(metricLine(namespace, {}, { untold_ms }, { message: 'untold', marks: marks.length }, now));
    }
    if (poison || marks.some(({ wake_at }) => wake_at <= now)) await notifier.invoke({ kind: 'retell' });
  } catch (error) {
    const fields = { message: 'untold not seen to', error: String(error) };
    log(metricLine(namespace, {}, { dispatch_failed: 1 }, fields, now));
  }
}
