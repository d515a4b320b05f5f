/** The scripted events of the world, delivered to the events function as EventBridge shapes them. */
import { createEvents } from '../functions/events/events.ts';
import { createRecent } from '../functions/events/recent.ts';
import { createSpending } from '../functions/events/spending.ts';
import type { Log } from '../functions/ports.ts';
import { CLUSTER_CHANGED, OBJECT_CREATED, STEP_CHANGED } from '../functions/sensors/event-patterns.ts';
import { sensorCatalog } from '../functions/sensors/registry.ts';
import { RETRIES_MS } from './deferral.ts';
import type { WorldEvent } from './format.ts';
import type { Gear } from './gear.ts';
import type { Invocations } from './invocations.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Has each event delivered at its time, whether it is true or not. */
export function deliverEvents(deps: {
  readonly time: VirtualTime;
  /** Epoch ms of second 0. */
  readonly start: number;
  readonly events: readonly WorldEvent[];
  readonly invocations: Invocations;
  readonly gear: Gear;
  readonly log: Log;
}): void {
  const { time, start, events, invocations, gear, log } = deps;
  // All invocations in one warm process.
  const [recent, spending] = [createRecent(), createSpending()];

  async function deliver(event: WorldEvent, id: string): Promise<void> {
    for (const ms of [0, ...RETRIES_MS]) {
      if (ms > 0) await time.clock.sleep(ms);
      const outcome = await invocations.start('events', (life) => {
        const [store, workers, deferral] = [gear.store(life), gear.workers(life), gear.deferral(life)];
        const { clock } = life;
        return createEvents({ store, sensors: sensorCatalog, workers, deferral, recent, spending, clock, log })(
          shaped(event, id),
        );
      });
      if (outcome === 'done') return;
    }
  }

  for (const [index, event] of events.entries()) {
    time.at(start + event.at * 1000, 'step', () => void deliver(event, `event-${index}`));
  }
}

function shaped(event: WorldEvent, id: string): unknown {
  if (event.source === 'aws.s3') {
    const detail = { bucket: { name: event.bucket }, object: { key: event.key } };
    return { id, source: OBJECT_CREATED.source, 'detail-type': OBJECT_CREATED.detailType, detail };
  }
  const { cluster: clusterId, step: stepId, state } = event;
  const { source, detailType } = stepId === undefined ? CLUSTER_CHANGED : STEP_CHANGED;
  return {
    id,
    source,
    'detail-type': detailType,
    detail: { clusterId, state, ...(stepId !== undefined && { stepId }) },
  };
}
