/** Seconds, or an ISO 8601 duration without years and months (`'PT5M'`, `'P1DT12H'`). */
export type Duration = number | `P${string}`;

/** ISO 8601 in UTC: `2024-01-01T06:00:00.000Z`. */
export type Instant = string;
