import { setTimeout as sleep } from 'node:timers/promises';
import type { SensoriumClient } from '../../client/index.ts';
import { type Alerts, subscribe } from './alerts.ts';
import type { Clients } from './clients.ts';
import { type EmrCluster, startCluster } from './emr-cluster.ts';
import { figuresOf } from './figures.ts';
import { expectedAlerts, judgeAlerts, judgeTasks, type SeenTask } from './judge.ts';
import { type LandingZone, openLandingZone } from './landing-zone.ts';
import { workOutside } from './outside-worker.ts';
import { type DemoPlan, type PlannedTask, planTasks, POKE_INTERVAL } from './plan.ts';
import { createProgress, type Screen, totalsOf } from './progress.ts';
import type { Outcome } from './report.ts';
import { waitForEnds } from './watch.ts';
import { readRuns } from './worker-logs.ts';

/** Two ticks of the schedule and all that lands are over by then. */
const TIME_LIMIT_MS = 300_000;
/** Events are told within a second; after an outage of the bus, never. */
const LAST_ALERTS_MS = 15_000;

export interface Stage {
  readonly api: SensoriumClient;
  readonly clients: Clients;
  readonly endpoint: string;
  readonly emrEndpoint: string;
  readonly stack: string;
  readonly busName: string;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** What the demo has set up outside the service. */
export interface Scenery {
  readonly zone: LandingZone;
  readonly cluster: EmrCluster;
  readonly alerts: Alerts;
  readonly tasks: readonly PlannedTask[];
}

/**
 * Sets up the bucket, the cluster and the subscription.
 * @param started gets each as soon as it is there, to be removed at the end
 */
export async function setUp(stage: Stage, plan: DemoPlan, started: { remove(): Promise<void> }[]): Promise<Scenery> {
  const { clients, emrEndpoint, busName } = stage;
  const zone = await openLandingZone(clients.s3, plan.bucket);
  started.push(zone);
  const alerts = await subscribe(clients, busName, plan.run);
  started.push(alerts);
  const cluster = await startCluster(clients.emr, emrEndpoint, plan.run, plan.steps);
  started.push(cluster);
  return { zone, cluster, alerts, tasks: planTasks(plan, cluster) };
}

/** Plays the demo to its end, or to its time limit. @returns what came of it. @throws when the service cannot be reached. */
export async function play(stage: Stage, plan: DemoPlan, scenery: Scenery): Promise<Outcome> {
  const { api, clients, endpoint, stack } = stage;
  const { zone, cluster, alerts, tasks } = scenery;
  const startedAt = Date.now();
  const refused = (await api.submitMany(tasks.map(({ body }) => body))).find(({ ok }) => !ok);
  if (refused?.ok === false) throw refused.error;

  const over = new AbortController();
  const signal = AbortSignal.any([stage.signal, over.signal]);
  const happenedAt = new Map<string, number>();
  const landing = land(zone, plan, happenedAt, signal);
  const outside = Promise.all(
    tasks.filter(({ group }) => group === 'external').map(({ id }) => workOutside(api, id, signal)),
  );
  const progress = createProgress(stage.screen, totalsOf(tasks, plan.keys.length));
  const landed = (): number => happenedAt.size;
  const watched = waitForEnds({ api, tasks, run: plan.run, alerts, progress, landed, startedAt, signal });
  const played = Promise.all([watched, landing, outside]);
  try {
    await Promise.race([played, alerts.failed, sleep(TIME_LIMIT_MS, undefined, { signal })]);
  } finally {
    over.abort();
    await played.catch(() => undefined);
  }

  const demoMs = Date.now() - startedAt;
  const emr = await cluster.calls();
  for (const [id, at] of await cluster.stepEnds()) happenedAt.set(id, at);
  await waitForAlerts(alerts, tasks, stage.signal);
  const seen = await seenTasks(api, plan.run);
  const { calls, ticksAt } = await readRuns(clients.cloudFormation, endpoint, stack, plan.run, startedAt);
  // Infinite if there was none.
  const firstTickAt = Math.min(...ticksAt);
  return {
    groups: figuresOf(tasks, seen, { happenedAt, pokeInterval: POKE_INTERVAL, firstTickAt }),
    calls: { all: calls, emr: emr.byOperation, throttled: emr.throttled },
    alerts: {
      facts: alerts.received.length,
      expected: tasks.flatMap((task) => expectedAlerts(task)).length,
      deliveries: [...alerts.deliveries.values()].reduce((sum, times) => sum + times, 0),
    },
    wrong: judgeTasks(tasks, seen),
    untold: judgeAlerts(tasks, alerts.deliveries),
    firstTickMs: firstTickAt - startedAt,
    demoMs,
  };
}

/** @returns the queue's tasks as they stand, by id; instants as epoch ms. */
async function seenTasks(api: SensoriumClient, queue: string): Promise<ReadonlyMap<string, SeenTask>> {
  const seen = new Map<string, SeenTask>();
  for await (const task of api.listAll({ queue })) {
    const history = task.history.map(({ at, to }) => ({ at: Date.parse(at), to }));
    seen.set(task.id, { ...task, deadline: Date.parse(task.deadline), history });
  }
  return seen;
}

/** Lets the keys land one after the other. */
async function land(
  zone: LandingZone,
  { keys }: DemoPlan,
  happenedAt: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  for (const { key, landsAfterMs } of keys) {
    await sleep(Math.max(0, startedAt + landsAfterMs - Date.now()), undefined, { signal });
    happenedAt.set(key, await zone.land(key));
  }
}

async function waitForAlerts(alerts: Alerts, tasks: readonly PlannedTask[], signal: AbortSignal): Promise<void> {
  const until = Date.now() + LAST_ALERTS_MS;
  while (judgeAlerts(tasks, alerts.deliveries).length > 0 && Date.now() < until) {
    await sleep(500, undefined, { signal });
  }
}
