/**
 * Which call to make next for the steps of a cluster. EMR allows 0.5 calls of ListSteps a second and account: the
 * cheaper way is taken (DESIGN 6), by id (10 steps a call) or by state (50 active steps a page).
 */

export const IDS_A_CALL = 10;

/** So many ended steps are asked for one by one: DescribeStep has a quota of its own, which lies idle otherwise. */
export const ALONE = 2;

export interface Progress {
  /** How many different steps are waited for. */
  readonly waited: number;
  /** Those of them that no answer has told of yet. */
  readonly unseen: number;
  /** Pages of active steps that were read in this poke. */
  readonly pages: number;
  /** Whether there are more of them; true before the first. */
  readonly more: boolean;
  /** Pages that the cluster's active steps had lately, at the least; 0: not known. */
  readonly floor: number;
}

/**
 * @returns the next call. Reading by state starts when more than one call by id would be needed, and stops when the pages
 * have cost as much as asking by id, when one call by id ends it, or when all active steps are read: what is unseen
 * then has ended, and is asked for by id, or alone where it is one or two.
 * For S steps of which E have ended, on a cluster with A active ones, the calls of ListSteps are at most
 * `min(ceil(S/10), max(1, ceil(A/50)))`, and `ceil(E/10)` more where E is more than two, if A fits into ceil(S/10) pages or `floor` says that it does not;
 * else at most `2 ceil(S/10)`, which only the first poke meets.
 */
export function nextCall({ waited, unseen, pages, more, floor }: Progress): 'by_state' | 'by_id' | 'alone' | 'done' {
  if (unseen === 0) return 'done';
  const callsById = Math.ceil(waited / IDS_A_CALL);
  if (!more && pages > 0 && unseen <= ALONE) return 'alone';
  if (!more || unseen <= IDS_A_CALL || pages >= callsById || floor > callsById) return 'by_id';
  return 'by_state';
}
