/**
 * What DynamoDB refuses to hold, and memory with it:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

/** The smallest magnitude of a number besides 0. The largest is above what is exact in JavaScript, which is ours. */
const LEAST_NUMBER = 1e-130;

/** Bytes of a partition key, of the table or of an index. All of our sort keys are numbers. */
const MAX_KEY_BYTES = 2048;

/** Lists and maps within each other. */
export const MAX_NESTING = 32;

/**
 * @returns whether a table holds the number. A double has 17 digits at most, of the 38 that DynamoDB keeps, and beyond
 * 2^53 - 1 the SDK refuses to write or read one.
 */
export function isStorableNumber(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= LEAST_NUMBER && size <= Number.MAX_SAFE_INTEGER);
}

/** @returns whether a text can be the partition key of an item. */
export function isStorableKey(key: string): boolean {
  // A UTF-16 unit is at most 3 bytes of UTF-8: most keys need not be measured.
  return key !== '' && (3 * key.length <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES);
}
