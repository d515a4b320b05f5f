import { FIRST_POKE_MS } from '../core/membership.ts';
import type { Target } from '../core/target.ts';
import type { StoreDeps } from './deps.ts';
import { moreEager } from './eager.ts';
import { eventEntry } from './events.ts';
import { targetKey, TTL_ATTRIBUTE } from './keys.ts';
import { isPoison, orThrow } from './poison.ts';
import type { Joined } from './store.ts';
import type { Clause, Item, Update } from './table.ts';
import { TableError } from './table.ts';
import { cadenceAttributes, readTarget, targetIdentity, targetItem } from './target-item.ts';

/** Two poke contexts share 63 bits of their hash. They must not share a target; one in 10^9 at 10^5 targets. */
export class HashCollision extends Error {
  override readonly name = 'HashCollision';
}

/** Each failed attempt means that another joiner wrote; more than this is no contention any more. */
const ATTEMPTS = 20;

/**
 * Steps 1 and 2 of joining (DESIGN, section 3). Step 1 takes the target out of everybody else's hands: it raises rev, so that
 * nobody who saw the target before can relax, put to sleep or delete it. Step 2 then compares with what stands and lowers it,
 * IF that still stands.
 */
export async function join(deps: StoreDeps, joined: Target, wantsFirstPoke: boolean): Promise<Joined> {
  const wanted = { ...joined, shardcode: deps.codeOf(joined.sensor) ?? joined.shardcode };
  const claim = wantsFirstPoke ? deps.newId() : undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const entered = await enter(deps, wanted, claim);
    if (entered === undefined) continue;
    if (entered.target.full_hash !== wanted.full_hash) {
      throw new HashCollision(
        `${targetKey(wanted)}: ${entered.target.full_hash} stands, ${wanted.full_hash} wants to join`,
      );
    }
    const target = await lower(deps, entered.target, wanted);
    // Gone between the two steps: begin again.
    if (target === undefined) continue;
    if (claim === undefined) return { target, firstPoke: false };
    return { target, firstPoke: entered.mine || (await claimFirstPoke(deps, target, wanted.joined_at, claim)) };
  }
  throw new TableError(`${targetKey(wanted)}: does not stay while it is joined`);
}

interface Entered {
  readonly target: Target;
  /** Whether the first poke is this joiner's already, because it made the target. */
  readonly mine: boolean;
}

/** Step 1: there is an awake target of a higher rev, with our values where it had none. Undefined: begin again. */
async function enter(deps: StoreDeps, wanted: Target, claim: string | undefined): Promise<Entered | undefined> {
  const key = targetKey(wanted);
  const now = wanted.joined_at;
  try {
    const { item } = await deps.writes.updateOnce(key, {
      add: { rev: 1 },
      set: { joined_at: now, wake_at: now },
      remove: ['dormant', 'quarantined', TTL_ATTRIBUTE],
      setIfMissing: {
        ...targetIdentity(wanted),
        ...eventEntry(deps, wanted),
        ...cadenceAttributes(wanted),
        next_deadline: wanted.next_deadline,
        ...(claim === undefined ? { first_poke_at: 0 } : { first_poke_at: now, first_poke_by: claim }),
      },
    });
    const target = item === undefined ? undefined : readTarget(item);
    if (target !== undefined && !isPoison(target)) {
      return { target, mine: item?.['first_poke_by'] === claim && target.first_poke_at === now };
    }
  } catch (error) {
    // A target whose rev is no number refuses the update; anything else is the table's own trouble.
    const standing = error instanceof TableError && !error.throttled ? await deps.table.get(key) : undefined;
    if (standing === undefined || !isPoison(readTarget(standing))) throw error;
  }
  await mend(deps, wanted);
  return undefined;
}

/** A target that cannot be read would lose every task that joins it: it is written anew, IF nobody else has done so. */
async function mend(deps: StoreDeps, wanted: Target): Promise<void> {
  const { table, writes, onPoison } = deps;
  const standing = await table.get(targetKey(wanted));
  const read = standing === undefined ? undefined : readTarget(standing);
  if (standing === undefined || read === undefined || !isPoison(read)) return;
  onPoison(read);
  // A rev higher than any that somebody may have seen before it broke.
  const { pk, ...item } = targetItem({ ...wanted, rev: wanted.joined_at, first_poke_at: 0 });
  const set = { ...item, ...eventEntry(deps, wanted) };
  const remove = Object.keys(standing).filter((name) => name !== 'pk' && name !== 'op_id' && !(name in set));
  const op_id = standing['op_id'];
  const condition: Clause =
    typeof op_id === 'string'
      ? { attr: 'op_id', op: '=', value: op_id }
      : { attr: 'op_id', op: op_id === undefined ? 'missing' : 'exists' };
  await writes.update({ key: pk, change: { set, remove }, condition: [condition] });
}

/** Step 2. @returns the target as it stands then; undefined if it is gone. */
async function lower(deps: StoreDeps, entered: Target, wanted: Target): Promise<Target | undefined> {
  let standing = entered;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const update = lowering(standing, wanted);
    if (update === undefined) return standing;
    // Without an op_id: if only the answer was lost, what stands says that nothing is left to lower.
    const { item }: { readonly item?: Item } = await deps.table.update(update);
    if (item === undefined) return undefined;
    standing = orThrow(readTarget(item));
  }
  throw new TableError(`${targetKey(wanted)}: other joiners keep changing it`);
}

/** What has to be lowered for the joiner, IF the target is still as it was seen; undefined: nothing. */
function lowering(standing: Target, wanted: Target): Update | undefined {
  const condition: Clause[] = [];
  let set: Record<string, string | number | boolean> = {};
  const remove: string[] = [];
  if (standing.next_deadline > wanted.next_deadline) {
    set = { next_deadline: wanted.next_deadline };
    condition.push({ attr: 'next_deadline', op: '>', value: wanted.next_deadline });
  }
  const cadence = moreEager(standing, wanted);
  if (cadence !== undefined) {
    const { poke_interval, exponential, max_wait } = cadence;
    set = { ...set, poke_interval, exponential };
    if (max_wait === undefined) remove.push('max_wait');
    else set = { ...set, max_wait };
    condition.push(...cadenceStands(standing));
  }
  if (condition.length === 0) return undefined;
  return { key: targetKey(wanted), change: { set, remove }, condition };
}

/** The decision was made on this cadence: a joiner that came between may have made it another. */
function cadenceStands({ poke_interval, exponential, max_wait }: Target): readonly Clause[] {
  const clauses: Clause[] = [
    { attr: 'poke_interval', op: '=', value: poke_interval },
    { attr: 'exponential', op: '=', value: exponential },
  ];
  if (!exponential) return clauses;
  return [
    ...clauses,
    max_wait === undefined ? { attr: 'max_wait', op: 'missing' } : { attr: 'max_wait', op: '=', value: max_wait },
  ];
}

/** Of all that join within 30 s one has the target poked at once: the one whose mark stands there. */
async function claimFirstPoke({ table }: StoreDeps, target: Target, now: number, claim: string): Promise<boolean> {
  const before = now - FIRST_POKE_MS;
  if (target.first_poke_at >= before) return false;
  const { item } = await table.update({
    key: targetKey(target),
    change: { set: { first_poke_at: now, first_poke_by: claim } },
    condition: [{ attr: 'first_poke_at', op: '<', value: before }],
  });
  return item?.['first_poke_by'] === claim;
}
