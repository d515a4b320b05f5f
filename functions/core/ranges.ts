/**
 * Who owns which shardcode (DESIGN, sections 3 and 6): shards are contiguous ranges of codes, fixed for a queue's life;
 * workers take contiguous shares of the shards, new in every tick.
 */

/** A half-open range: `from` is in it, `to` is not. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** @returns the shard that owns a shardcode, in [0, shards); the only one whose `codesOf` holds it. */
export function shardOf(shardcode: number, upperLimit: number, shards: number): number {
  return Math.floor((shardcode * shards) / upperLimit);
}

/** @returns the shardcodes of a shard; none (`from` = `to`) for some when there are more shards than codes. */
export function codesOf(shard: number, upperLimit: number, shards: number): Range {
  return { from: Math.ceil((shard * upperLimit) / shards), to: Math.ceil(((shard + 1) * upperLimit) / shards) };
}

/** @returns a share of shards for each worker: contiguous, each shard in exactly one, none empty (so maybe fewer). */
export function shareShards(shards: number, workers: number): number[][] {
  const shares = Math.min(shards, workers);
  return Array.from({ length: Math.max(0, shares) }, (_, share) => {
    const { from, to } = codesOf(share, shards, shares);
    return Array.from({ length: to - from }, (_, offset) => from + offset);
  });
}
