import * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';
import type { SensorSpec } from '../core/task.ts';
import { ask } from './aws-answer.ts';
import type { EmrCalls } from './emr-calls.ts';
import { failureOf, observe } from './aws-errors.ts';
import { eventKeys } from './aws-events.ts';
import { cancelStep } from './emr-cancel.ts';
import { emrId, judge, normaliseStates, type Wanted } from './emr-state.ts';
import { STEP_ENDS } from './event-patterns.ts';
import { IDS_A_CALL, nextCall } from './emr-step-plan.ts';
import type { SensorKind } from './kind.ts';
import type { PokeIo, PokeItem } from './sensor.ts';

export interface EmrStepContext extends SensorSpec, Wanted {
  readonly type: 'emr_step';
  readonly job_flow_id: string;
  readonly step_id: string;
}

const ACTIVE = ['PENDING', 'CANCEL_PENDING', 'RUNNING'] as const;
const states = z.array(z.enum([...ACTIVE, ...STEP_ENDS]));

const input = z.strictObject({
  type: z.literal('emr_step'),
  job_flow_id: emrId,
  step_id: emrId,
  target_states: z._default(states.check(z.minLength(1)), ['COMPLETED']),
  failed_states: z._default(states, ['CANCELLED', 'FAILED', 'INTERRUPTED']),
});

const schema = z.pipe(
  input,
  z.transform((given: z.output<typeof input>): EmrStepContext => ({ ...given, ...normaliseStates(given) })),
);

export const emrStep: SensorKind<EmrStepContext> = {
  type: 'emr_step',
  summary: 'A step of an EMR cluster has reached one of its target states.',
  schema,
  operations: ['emr:ListSteps', 'emr:DescribeStep'],
  permissions: [
    {
      actions: ['elasticmapreduce:ListSteps', 'elasticmapreduce:DescribeStep'],
      resources: ['arn:*:elasticmapreduce:*:*:cluster/*'],
    },
  ],
  resources: ({ job_flow_id }) => [`arn:*:elasticmapreduce:*:*:cluster/${job_flow_id}`],
  batchKey: ({ job_flow_id }) => job_flow_id,
  eventKey: ({ job_flow_id, step_id }) => eventKeys.step(job_flow_id, step_id),
  cancelling: {
    permissions: [{ actions: ['elasticmapreduce:CancelSteps'], resources: ['arn:*:elasticmapreduce:*:*:cluster/*'] }],
    connect:
      ({ emr }) =>
      (context, again, io) =>
        cancelStep(emr, context, again, io),
  },
  connect({ emr }) {
    const crowds: Crowds = new Map();
    return (items, io) => pokeCluster(emr, crowds, items, io);
  },
};

/** Clusters with more active steps than reading by state was worth: how many pages at the least, and when (epoch ms). */
type Crowds = Map<string, { readonly pages: number; readonly at: number }>;

const CROWD_MS = 600_000;

/** What was learnt of a step: the status that EMR gave, to be judged by each item's own states, or why there is none. */
type Word = { readonly status: unknown } | { readonly observation: Observation };

/** One poke of the steps of a cluster: what it asks for, and what it has heard so far. */
interface Round {
  readonly emr: EmrCalls;
  readonly io: PokeIo;
  readonly cluster: string;
  readonly waited: readonly string[];
  readonly heard: Map<string, Word>;
}

const NOT_ASKED: Observation = { kind: 'unknown', reason: 'the step was not asked for' };

async function pokeCluster(
  emr: EmrCalls,
  crowds: Crowds,
  items: readonly PokeItem<EmrStepContext>[],
  io: PokeIo,
): Promise<readonly Observation[]> {
  const cluster = items[0]?.context.job_flow_id ?? '';
  const waited = [...new Set(items.map(({ context }) => context.step_id))];
  const round: Round = { emr, io, cluster, waited, heard: new Map() };
  const read = await askByState(round, crowds);
  const alone = read.next === 'alone';
  const halt = read.halt ?? (alone ? undefined : await askById(round)) ?? (await askAlone(round));
  return items.map(({ context }) => {
    const word = round.heard.get(context.step_id) ?? { observation: halt ?? NOT_ASKED };
    if ('observation' in word) return word.observation;
    return judge(`step ${context.step_id}`, context, STEP_ENDS, word.status);
  });
}

const stepAnswer = z.object({ Id: z.optional(z.string()), Status: z.optional(z.unknown()) });
const listAnswer = z.object({ Steps: z.array(stepAnswer), Marker: z.nullish(z.string()) });
const describeAnswer = z.object({ Step: z.object({ Status: z.unknown() }) });

function unseen({ waited, heard }: Round): string[] {
  return waited.filter((id) => !heard.has(id));
}

/** Makes one ListSteps, and takes from it what is waited for. @returns the marker of the next page, if there is one. */
async function listSteps(
  round: Round,
  which: Omit<Parameters<EmrCalls['listSteps']>[0], 'ClusterId'>,
): Promise<string | undefined> {
  const query = { ClusterId: round.cluster, ...which };
  const answer = await ask(round.io, 'emr:ListSteps', () => round.emr.listSteps(query), listAnswer);
  const waited = new Set(round.waited);
  for (const { Id: id, Status: status } of answer.Steps) {
    if (id !== undefined && waited.has(id)) round.heard.set(id, { status });
  }
  return answer.Marker || undefined;
}

/** What comes after the pages of active steps; or why nothing more is to be asked. */
interface Read {
  readonly next: ReturnType<typeof nextCall>;
  readonly halt?: Observation;
}

/** Reads pages of active steps as long as that is the cheaper way. */
async function askByState(round: Round, crowds: Crowds): Promise<Read> {
  const crowd = crowds.get(round.cluster);
  const floor = crowd !== undefined && round.io.now() - crowd.at < CROWD_MS ? crowd.pages : 0;
  let marker: string | undefined;
  let pages = 0;
  const next = (): Read['next'] =>
    nextCall({
      waited: round.waited.length,
      unseen: unseen(round).length,
      pages,
      more: pages === 0 || marker !== undefined,
      floor,
    });
  try {
    while (next() === 'by_state') {
      marker = await listSteps(round, { StepStates: [...ACTIVE], ...(marker === undefined ? {} : { Marker: marker }) });
      pages += 1;
    }
  } catch (error) {
    // A refused first page means the cluster, since it names no step; a later one means its marker: go on by id.
    if (pages === 0 || !isRefused(error)) return { next: 'done', halt: observed(error, round, 'ListSteps') };
  }
  if (marker !== undefined) crowds.set(round.cluster, { pages: pages + 1, at: round.io.now() });
  else if (pages > 0) crowds.delete(round.cluster);
  return { next: next() };
}

/** Asks for what is unseen, ten a call. @returns why nothing more is to be asked, if so. */
async function askById(round: Round): Promise<Observation | undefined> {
  const ids = unseen(round);
  for (let from = 0; from < ids.length; from += IDS_A_CALL) {
    try {
      await listSteps(round, { StepIds: ids.slice(from, from + IDS_A_CALL) });
    } catch (error) {
      // There is a bad id among the ten: they stay unseen.
      if (!isRefused(error)) return observed(error, round, 'ListSteps');
    }
  }
  return undefined;
}

/**
 * Asks one by one for what no list has told of, a refused one or one that lacked it: nobody suffers for another's id.
 * @returns why nothing more is to be asked, if so; never what holds for the step asked for alone.
 */
async function askAlone(round: Round): Promise<Observation | undefined> {
  for (const id of unseen(round)) {
    const query = { ClusterId: round.cluster, StepId: id };
    try {
      const send = (): Promise<unknown> => round.emr.describeStep(query);
      const answer = await ask(round.io, 'emr:DescribeStep', send, describeAnswer);
      round.heard.set(id, { status: answer.Step.Status });
    } catch (error) {
      const observation = observed(error, round, 'DescribeStep');
      if (observation.kind === 'unknown') return observation;
      round.heard.set(id, { observation });
    }
  }
  return undefined;
}

/** EMR's answer to an id that it does not know. */
function isRefused(error: unknown): boolean {
  const code = failureOf(error)?.code;
  return code === 'InvalidRequestException' || code === 'ValidationException';
}

function observed(error: unknown, round: Round, operation: 'ListSteps' | 'DescribeStep'): Observation {
  const permission = `elasticmapreduce:${operation} on the cluster ${round.cluster}`;
  return observe(error, { operation: `emr:${operation}`, permission });
}
