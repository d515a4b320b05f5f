/**
 * @param values in any order, at least one
 * @param part 0.5 is the median, 0.99 the 99th percentile
 * @returns the smallest of the values that at least this part of them does not exceed (nearest rank)
 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  if (found === undefined) throw new Error('a percentile of nothing');
  return found;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @returns the largest count over the mean of all; 0 where nothing was counted. */
export function peakToMean(counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === 0 ? 0 : (Math.max(...counts) * counts.length) / sum;
}
