/** Random conditions: what may be waited for, and when the outside makes it true, false or a failure. */
import type { World } from '../format.ts';
import type { Dice } from './dice.ts';
import { moment } from './moments.ts';

/** A condition as a submit names it. */
export interface Condition {
  readonly sensor: Readonly<Record<string, unknown>>;
  /** Each copy waits for a key of its own (`{copy}` in the sensor), up to so many; 1: all wait for the same. */
  readonly copies: number;
}

type S3Entry = World['s3'][string][number];
type EmrEntry = World['emr'][string][number];

/** Copies of a condition that have a world of their own. */
const MOST_COPIES = 12;

/** @returns the conditions of a scenario; their timelines are put into the world. */
export function conditions(dice: Dice, world: World): readonly Condition[] {
  const makers: readonly [Maker, ...Maker[]] = [
    s3,
    s3,
    s3,
    manyS3,
    manyS3,
    s3Two,
    s3Wildcard,
    emrStep,
    emrStep,
    cluster,
    datetime,
  ];
  return Array.from({ length: dice.int(2, 7) }, (_, index) => dice.pick(makers)(dice, world, index));
}

type Maker = (dice: Dice, world: World, index: number) => Condition;

const s3: Maker = (dice, { s3: keys }, index) => {
  keys[`b/k${index}`] = landings(dice);
  const min_size = dice.chance(0.15) ? { min_size: 10 } : {};
  return { sensor: { type: 's3_key', bucket: 'b', key: `k${index}`, ...min_size }, copies: 1 };
};

const manyS3: Maker = (dice, { s3: keys }, index) => {
  const copies = dice.int(2, MOST_COPIES);
  for (let copy = 1; copy <= copies; copy += 1) keys[`b/many${index}/${copy}`] = landings(dice);
  return { sensor: { type: 's3_key', bucket: 'b', key: `many${index}/{copy}` }, copies };
};

const s3Two: Maker = (dice, { s3: keys }, index) => {
  keys[`two/a${index}`] = landings(dice);
  keys[`two/b${index}`] = landings(dice);
  if (dice.chance(0.2)) keys['two'] = [{ at: 0, present: false }, ...later(dice, { present: true })];
  return { sensor: { type: 's3_key', bucket: 'two', key: [`a${index}`, `b${index}`] }, copies: 1 };
};

const s3Wildcard: Maker = (dice, { s3: keys }, index) => {
  keys[`b/w${index}/part-1`] = landings(dice);
  return { sensor: { type: 's3_key', bucket: 'b', key: `w${index}/part-*`, wildcard_match: true }, copies: 1 };
};

function later<Entry extends object>(dice: Dice, entry: Entry): (Entry & { at: number })[] {
  return dice.chance(0.7) ? [{ at: moment(dice), ...entry }] : [];
}

/** Comes, goes, comes again, is denied for a while; or never comes. */
function landings(dice: Dice): S3Entry[] {
  const entries: S3Entry[] = [];
  if (dice.chance(0.25)) entries.push({ at: 0, present: true, size: 12 });
  else if (dice.chance(0.85)) entries.push({ at: moment(dice), present: true, size: dice.chance(0.2) ? 5 : 12 });
  if (dice.chance(0.08))
    entries.push({ at: moment(dice), denied: true }, { at: moment(dice), present: dice.chance(0.5), size: 12 });
  if (dice.chance(0.25))
    entries.push({ at: moment(dice), present: false }, { at: moment(dice), present: true, size: 12 });
  return entries.toSorted((a, b) => a.at - b.at);
}

const STEP_ENDS: readonly [string, ...string[]] = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELLED'];

function stepLife(dice: Dice): EmrEntry[] {
  const life: EmrEntry[] = [{ at: 0, state: 'PENDING' }];
  if (dice.chance(0.8)) life.push({ at: moment(dice), state: 'RUNNING' });
  if (dice.chance(0.85)) life.push({ at: moment(dice), state: dice.pick(STEP_ENDS), reason: 'its own' });
  life.sort((a, b) => a.at - b.at);
  // Nothing comes after an end.
  const end = life.findIndex(({ state }) => state !== 'PENDING' && state !== 'RUNNING');
  return end < 0 ? life : life.slice(0, end + 1);
}

const emrStep: Maker = (dice, { emr }, index) => {
  const copies = dice.pick([1, 1, 4, MOST_COPIES]);
  const flow = `j-${dice.int(1, 2)}`;
  for (let copy = 1; copy <= copies; copy += 1) {
    // Now and then one that EMR does not know, beside its siblings.
    if (copies === 1 || !dice.chance(0.05)) emr[`${flow}/s-${index}-${copy}`] = stepLife(dice);
  }
  const step_id = `s-${index}-${copies === 1 ? '1' : '{copy}'}`;
  return { sensor: { type: 'emr_step', job_flow_id: flow, step_id }, copies };
};

const cluster: Maker = (dice, { emr }, index) => {
  const flow = `j-c${index}`;
  emr[flow] = [
    { at: 0, state: 'RUNNING' },
    ...later(dice, { state: dice.pick(['TERMINATED', 'TERMINATED_WITH_ERRORS']) }),
  ];
  return { sensor: { type: 'emr_job_flow', job_flow_id: flow }, copies: 1 };
};

const datetime: Maker = (dice) => {
  const at = new Date(Date.parse('2024-01-01T00:00:00Z') + dice.int(0, 600) * 1000).toISOString();
  return { sensor: { type: 'datetime', at }, copies: 1 };
};
