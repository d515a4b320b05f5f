/**
 * The one set of numbers behind every dollar: AWS's prices, the memory of the functions, and how long their calls take.
 * `lib` deploys the memory, `estimate` and the mode `auto` calculate with all of it, and so does `npm run bench -- cost`.
 */

/** Dollars per million of each, and per GB-second. */
export interface Prices {
  /** When and where they were read. */
  readonly source: string;
  readonly writes: number;
  readonly reads: number;
  readonly transitions: number;
  readonly invocations: number;
  readonly requests: number;
  readonly events: number;
  readonly gbSecond: number;
}

/**
 * us-east-1, on demand, without free tiers, as the pricing pages of the services have them (aws.amazon.com/<service>/
 * pricing: dynamodb since November 2024, step-functions, lambda on arm64, api-gateway REST, eventbridge custom events).
 */
export const PRICES: Prices = {
  source: 'AWS pricing pages, us-east-1, 2025',
  writes: 0.625,
  reads: 0.125,
  transitions: 25,
  invocations: 0.2,
  requests: 3.5,
  events: 1,
  gbSecond: 0.000_013_333_4,
};

/** Dollars a million requests to a standard queue: sends, receives (empty ones, too), deletes (aws.amazon.com/sqs/pricing). */
export const QUEUE_REQUESTS = 0.4;

/** Dollars a month of what is there, and of a gigabyte of logs (aws.amazon.com/cloudwatch and secrets-manager/pricing). */
export const MONTHLY = {
  metric: 0.3,
  alarm: 0.1,
  dashboard: 3,
  secret: 0.4,
  logGigabyte: 0.5,
} as const;

/** Hours of a month, as AWS's own calculator has it. */
export const MONTH_HOURS = 730;

/** Megabytes of each function, as `lib` deploys it. */
export const MEMORY_MB = {
  api: 1024,
  'execution-api': 1024,
  submit: 1024,
  dispatcher: 512,
  'shard-worker': 1024,
  'poke-worker': 512,
  router: 512,
  events: 512,
  deferral: 512,
  notifier: 512,
} as const;

/** @returns gigabytes of a function. */
export function gigabytesOf(name: keyof typeof MEMORY_MB): number {
  return MEMORY_MB[name] / 1024;
}

/** How long a call takes from a function in the same Region, ms. Stated, not measured: ADR 29. */
export const CALL_MS = { dynamodb: 8, s3: 25, emr: 100, other: 10 } as const;

/** The processor's time of a poke in a function of 1,024 MB, ms. Stated, not measured: ADR 29. */
export const POKE_CPU_MS = 2;

/** Of 100 invocations one begins with a new instance. Lambda bills its start, too (since August 2025). */
export const COLD_SHARE = 0.01;

/** The import of each function, ms of the processor, as `npm run bench -- imports` measured them, to the next 5. */
export const IMPORT_MS = {
  api: 70,
  'execution-api': 55,
  submit: 65,
  dispatcher: 55,
  'shard-worker': 65,
  'poke-worker': 60,
  router: 10,
  events: 60,
  deferral: 65,
  notifier: 50,
} as const;
