/** Runs a scenario under the invariants, until nothing is left to happen; the first thing that is wrong ends it. */
import { createHash } from 'node:crypto';
import { requestOf } from '../functions/api/http.ts';
import type { ApiEvent } from '../functions/api/http.ts';
import { readPath } from '../functions/api/path.ts';
import type { Task } from '../functions/core/task.ts';
import { DEFAULT_SETTINGS, parseSettings } from '../functions/settings.ts';
import type { Scenario, Step } from './format.ts';
import { calmOf } from './invariants/invariant.ts';
import type { Asked, Invariant, Watch } from './invariants/invariant.ts';
import { INVARIANTS } from './invariants/list.ts';
import { createMirror } from './invariants/mirror.ts';
import type { Listener } from './invariants/mirror.ts';
import { createTruth } from './invariants/truth.ts';
import { bodiesOf, play } from './play.ts';
import { seeded } from './random.ts';
import { setQueues } from './scenario.ts';
import type { Rig } from './rig.ts';
import { createStory } from './story.ts';
import { createStage } from './stage.ts';
import type { Stage } from './stage.ts';

/** Something that must not be. */
export interface Violation {
  /** Seconds of the scenario. */
  readonly at: number;
  readonly rule: string;
  readonly what: string;
}

export interface WatchedRun {
  readonly violations: readonly Violation[];
  readonly tasks: ReadonlyMap<string, Task>;
  /** Ids of the alerts, each once. */
  readonly alerts: ReadonlySet<string>;
  /** When it ended, seconds of the scenario. */
  readonly ended: number;
  /** SHA-256 of everything that happened, in its order; only where it was asked for. */
  readonly hash?: string;
}

const MINUTE_MS = 60_000;

/** Lines of the log that tell of a defect: in these worlds nothing is poison. */
const DEFECTS = new Set(['poison', 'unreadable record', 'request failed', 'poison not quarantined']);

/** What an invocation may end with while its calls fail. */
const EXPLAINED =
  /TableError|lambda:Invoke|eventbridge:PutEvents|sfn:|targets (were not started|of \S+ were not watched)/;

export interface RunOptions {
  readonly rig?: Rig;
  readonly hashed?: boolean;
  /** Hears what happens, line by line. */
  readonly tell?: (line: string) => void;
  /** Until when the rig may strike, seconds of the scenario. @default never */
  readonly troubledUntil?: number;
  /** Ends as soon as every task has ended and is told of, and does not wait for their targets to go. @default false */
  readonly brief?: boolean;
}

export async function runWatched(scenario: Scenario, options: RunOptions = {}): Promise<WatchedRun> {
  const start = Date.parse(scenario.start);
  const settings = { ...DEFAULT_SETTINGS, ...parseSettings(JSON.stringify(scenario.settings)) };
  const violations: Violation[] = [];
  const fail = (rule: string, what: string): void => {
    violations.push({ at: (stage.time.now() - start) / 1000, rule, what });
  };
  const stage = createStage({
    start,
    settings,
    world: scenario.world,
    faults: scenario.faults,
    random: seeded(scenario.name),
    log: (entry) => {
      if (DEFECTS.has(entry.message)) fail('service', JSON.stringify(entry));
    },
    ...(options.rig === undefined ? {} : { rig: options.rig }),
  });
  const listeners: Listener[] = [];
  const mirror = createMirror(listeners);
  const calm = calmOf(scenario.faults, start, options.troubledUntil ?? 0);
  const truth = createTruth(scenario, start);
  const watch = { now: () => stage.time.now(), start, scenario, settings, mirror, truth, calm };
  const rules = INVARIANTS.map((create) => held(create, watch, fail));
  listeners.push(...rules);
  const alerts = new Set<string>();
  stage.onChange((change) => mirror.apply(change));
  stage.onPoke((poke) => rules.forEach((rule) => rule.poke?.(poke)));
  stage.onTold((told) => rules.forEach((rule) => rule.told?.(told)));
  stage.onAlert((event) => {
    alerts.add(event.id);
    rules.forEach((rule) => rule.alert?.(event));
  });
  const traced = trace(stage, options.hashed === true ? createHash('sha256') : undefined, options.tell);

  const seen = withAsked(stage, (asked) => rules.forEach((rule) => rule.asked?.(asked)));
  await setQueues(stage, scenario);
  let open = scenario.steps.length;
  const playStep = async (step: Step): Promise<void> => {
    const misses = await play(seen, step, 'smart');
    open -= 1;
    if (!('submit' in step) || misses.length > 0) return;
    // What was answered with 201 is there.
    const lost = bodiesOf(step, 'smart').find((body) => !mirror.tasks.has(String(body['id'])));
    if (lost !== undefined) fail('service', `task ${String(lost['id'])} was taken and is not there`);
  };
  for (const step of scenario.steps) {
    stage.time.at(start + step.at * 1000, 'step', () => void playStep(step));
  }

  const until = start + scenario.until * 1000;
  const awaited = options.brief === true ? rules.filter(({ name }) => name !== 'waste') : rules;
  const isOver = (): boolean =>
    open === 0 && stage.time.now() >= calm.from && awaited.every((rule) => rule.quiet?.() ?? true);
  while (violations.length === 0 && !isOver()) {
    if (stage.time.now() >= until) fail('liveness', 'the run does not come to its end');
    await stage.time.runUntil(stage.time.now() + MINUTE_MS);
    for (const rule of rules) rule.minute?.();
    const unexplained = stage.invocations.errors.find((error) => !EXPLAINED.test(error));
    if (unexplained !== undefined) fail('service', unexplained);
  }
  const hash = traced?.digest('hex');
  const ended = (stage.time.now() - start) / 1000;
  return { violations, tasks: mirror.tasks, alerts, ended, ...(hash === undefined ? {} : { hash }) };
}

function held(
  create: (watch: Watch) => Invariant,
  watch: Omit<Watch, 'fail'>,
  fail: (rule: string, what: string) => void,
): Invariant {
  const rule: Invariant = create({ ...watch, fail: (what) => fail(rule.name, what) });
  return rule;
}

/** The stage with doors that tell of each request. */
function withAsked(stage: Stage, tell: (asked: Asked) => void): Stage {
  const told = (event: ApiEvent): ApiEvent => {
    const path = readPath(event.pathParameters);
    // Refused before it can change anything.
    if (!path.ok) return event;
    const { id, text } = requestOf(event, path.value);
    const body: unknown = text === undefined || text === '' ? undefined : JSON.parse(text);
    tell({ method: event.httpMethod, resource: event.resource, id, body });
    return event;
  };
  return {
    ...stage,
    api: (event) => stage.api(told(event)),
    executionApi: (event) => stage.executionApi(told(event)),
  };
}

/** Everything that happens: into a hash to the letter, and in words to whoever wants to read it. */
function trace(stage: Stage, hash: ReturnType<typeof createHash> | undefined, tell?: (line: string) => void) {
  const start = stage.time.now();
  if (tell !== undefined) {
    const story = createStory(start, () => stage.time.now(), tell);
    stage.onChange(story.change);
    stage.onPoke(story.poke);
    stage.onAlert(story.alert);
  }
  if (hash === undefined) return undefined;
  const add = (what: string, fact: unknown): void => {
    hash.update(`${stage.time.now() - start} ${what} ${JSON.stringify(fact)}\n`);
  };
  stage.onChange((change) => add('change', change));
  stage.onPoke((poke) => add('poke', poke));
  stage.onAlert((event) => add('alert', event));
  return hash;
}
