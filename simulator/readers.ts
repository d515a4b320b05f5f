/** The readers of the table's stream, each invoked with what its deployed patterns let through. */
import { createNotifier } from '../functions/notifier/notifier.ts';
import type { Log } from '../functions/ports.ts';
import { createRouter } from '../functions/router/router.ts';
import type { ServiceSettings } from '../functions/settings.ts';
import { ROUTED, TOLD } from '../functions/store/stream-patterns.ts';
import type { Gear } from './gear.ts';
import type { Invocations } from './invocations.ts';
import type { Rig } from './rig.ts';
import type { Reader } from './stream.ts';

export function createReaders(deps: {
  readonly invocations: Invocations;
  readonly gear: Gear;
  readonly log: Log;
  readonly settings: ServiceSettings;
  readonly rig: Rig;
}): readonly Reader[] {
  const { invocations, gear, log, settings, rig } = deps;

  const router: Reader = {
    patterns: ROUTED,
    read: (batch) =>
      invocations.start('router', (life) => {
        return createRouter({ workers: gear.workers(life), deferral: gear.deferral(life), log })(batch);
      }),
  };

  const notifier: Reader = {
    patterns: rig.told?.(TOLD) ?? TOLD,
    read: (batch) =>
      invocations.start('notifier', (life) => {
        const [store, bus, callbacks] = [gear.store(life), gear.bus(life), gear.callbacks(life)];
        const notify = createNotifier({ store, bus, callbacks, clock: life.clock, log, settings });
        return notify(rig.notified?.(batch) ?? batch);
      }),
  };
  return [router, notifier];
}
