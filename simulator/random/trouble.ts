/** Random faults: of the table, of AWS, of the service's own invocations, of time. */
import type { Fault } from '../format.ts';
import type { Dice } from './dice.ts';
import { moment } from './moments.ts';

/** No fault lasts longer than until here, seconds. */
const LAST = 560;

/** By how much a clock may be wrong, seconds. */
export const MAX_SKEW = 4;

const OPERATIONS = ['UpdateItem', 'Query', 'GetItem', 'BatchGetItem', 'DeleteItem'] as const;

type Maker = (dice: Dice) => Fault;

function spell(dice: Dice, longest: number): { from: number; to: number } {
  const from = moment(dice, 0, LAST - 60);
  return { from, to: Math.min(LAST, from + dice.seconds(1, longest)) };
}

const makers: readonly [Maker, ...Maker[]] = [
  (dice) => ({ index_lag: dice.pick([1, 5, 20, 45, 60]), ...spell(dice, 900) }),
  (dice) => ({ index_lag: dice.pick([1, 5, 20, 45, 60]), ...spell(dice, 900) }),
  (dice) => ({ service: 'dynamodb', lost_answer: true, share: dice.pick([0.05, 0.2, 0.5]), ...spell(dice, 600) }),
  (dice) => ({ service: 'dynamodb', lost_answer: true, share: dice.pick([0.05, 0.2, 0.5]), ...spell(dice, 600) }),
  (dice) => ({
    service: 'dynamodb',
    error: 'ProvisionedThroughputExceededException',
    share: dice.pick([0.05, 0.3, 0.6]),
    ...spell(dice, 400),
  }),
  (dice) => ({ service: 'dynamodb', error: 'InternalServerError', ...spell(dice, 70) }),
  (dice) => ({
    service: 'dynamodb',
    operation: dice.pick(OPERATIONS),
    error: 'InternalServerError',
    ...spell(dice, 600),
  }),
  (dice) => ({
    service: 'dynamodb',
    operation: 'BatchExecuteStatement',
    error: 'InternalServerError',
    ...spell(dice, 600),
  }),
  (dice) => ({
    service: 's3',
    error: dice.pick(['SlowDown', 'InternalError', 'ServiceUnavailable']),
    ...spell(dice, 600),
  }),
  (dice) => ({ service: 's3', error: 'SlowDown', share: 0.5, ...spell(dice, 600) }),
  (dice) => ({ service: 's3', hang: true, ...spell(dice, 120) }),
  (dice) => ({ service: 's3', error: 'AccessDenied', ...spell(dice, 90) }),
  (dice) => ({ service: 'emr', error: dice.pick(['ThrottlingException', 'InternalServerError']), ...spell(dice, 600) }),
  (dice) => ({ service: 'emr', refill: 0.5, burst: 10, ...spell(dice, 900) }),
  (dice) => ({ service: 'emr', hang: true, ...spell(dice, 60) }),
  (dice) => ({ service: 'lambda', error: 'TooManyRequestsException', share: dice.pick([0.3, 1]), ...spell(dice, 200) }),
  (dice) => ({ service: 'eventbridge', error: 'InternalFailure', share: dice.pick([0.5, 1]), ...spell(dice, 120) }),
  kill,
  kill,
  kill,
  (dice) => ({ duplicate: dice.pick(['shard-worker', 'dispatcher', 'router', 'notifier']), at: moment(dice, 0, LAST) }),
  (dice) => ({ duplicate: 'shard-worker', at: moment(dice, 0, LAST) }),
  (dice) => ({ drop: 'tick', ...spell(dice, 300) }),
  (dice) => ({
    skew: dice.pick(['shard-worker', 'api', 'dispatcher', 'execution-api']),
    seconds: dice.pick([-MAX_SKEW, -1, 1, MAX_SKEW]),
    ...spell(dice, 600),
  }),
];

/** What befalls the other modes' own parts. */
const others: readonly [Maker, ...Maker[]] = [
  (dice) => ({ kill: 'poke-worker', at: moment(dice, 0, LAST), after_writes: dice.int(0, 3) }),
  (dice) => ({ kill: 'deferral', at: moment(dice, 0, LAST), after_writes: dice.int(0, 3) }),
  (dice) => ({ duplicate: dice.pick(['poke-worker', 'deferral']), at: moment(dice, 0, LAST) }),
  (dice) => ({ vanish: 'deferral', at: moment(dice, 0, LAST) }),
  (dice) => ({ service: 'sfn', error: 'ThrottlingException', share: dice.pick([0.3, 1]), ...spell(dice, 200) }),
  (dice) => ({
    skew: dice.pick(['poke-worker', 'deferral']),
    seconds: dice.pick([-MAX_SKEW, MAX_SKEW]),
    ...spell(dice, 400),
  }),
];

function kill(dice: Dice): Fault {
  const victim = dice.pick([
    'shard-worker',
    'shard-worker',
    'shard-worker',
    'dispatcher',
    'api',
    'execution-api',
    'router',
    'notifier',
  ]);
  return { kill: victim, at: moment(dice, 0, LAST), after_writes: dice.int(0, victim === 'shard-worker' ? 12 : 4) };
}

/**
 * @param mixed whether there are waits of all modes
 * @returns the faults of a scenario; every fourth has none
 */
export function trouble(dice: Dice, mixed: boolean): readonly Fault[] {
  if (dice.chance(0.25)) return [];
  return Array.from({ length: dice.int(1, 6) }, () => dice.pick(mixed && dice.chance(0.3) ? others : makers)(dice));
}
