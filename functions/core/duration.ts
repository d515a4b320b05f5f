const PART = String.raw`(\d+(?:[.,]\d+)?)`;
const DURATION = new RegExp(`^P(?:${PART}W)?(?:${PART}D)?(?:T(?:${PART}H)?(?:${PART}M)?(?:${PART}S)?)?$`);
/** The longest delay that Airflow can write (`timedelta.max.total_seconds() - 1`), in seconds: overflow ends here. */
export const MAX_DELAY = 86_399_999_999_999;

/** Seconds of a week, a day, an hour, a minute, a second. Years and months have no fixed length and are refused. */
const SECONDS = [604_800, 86_400, 3600, 60, 1];

/**
 * @param input a number of seconds, or an ISO 8601 duration (`PT5M`, `P1DT2H`, `PT1.5S`, `P2W`).
 * @returns finite seconds, or undefined if it is neither. Bounds are the schemas' business.
 */
export function parseDuration(input: string | number): number | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? input : undefined;
  const parts = DURATION.exec(input)?.slice(1);
  if (parts === undefined || input.endsWith('T')) return undefined;
  const given = parts.filter((part) => part !== undefined);
  // ISO 8601 allows a fraction in the smallest part alone.
  if (given.length === 0 || given.slice(0, -1).some((part) => /[.,]/.test(part))) return undefined;
  const seconds = SECONDS.reduce((sum, unit, at) => sum + unit * Number(parts[at]?.replace(',', '.') ?? 0), 0);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** @returns an interval in whole milliseconds: at least a second (the schemas' minimum), at most MAX_DELAY. */
export function intervalMs(seconds: number): number {
  return Math.min(Math.max(Math.round(seconds * 1000), 1000), MAX_DELAY * 1000);
}
