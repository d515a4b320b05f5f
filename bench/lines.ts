/** All lines of the benchmarks, in the order in which they run. */
import { comparisons } from './lines/comparisons.ts';
import { connections } from './lines/connections.ts';
import { cost } from './lines/cost.ts';
import { emrCalls } from './lines/emr-calls.ts';
import { emrDelay } from './lines/emr-delay.ts';
import { fanOut } from './lines/fan-out.ts';
import { idle } from './lines/idle.ts';
import { imports } from './lines/imports.ts';
import { logBytes } from './lines/log-bytes.ts';
import { memory } from './lines/memory.ts';
import { modes } from './lines/modes.ts';
import { night } from './lines/night.ts';
import { spread } from './lines/spread.ts';
import { throughput } from './lines/throughput.ts';
import { writeUnitsALife } from './lines/write-units.ts';
import type { Line } from './row.ts';

export const LINES: readonly Line[] = [
  idle,
  writeUnitsALife,
  fanOut,
  emrCalls,
  emrDelay,
  spread,
  night,
  connections,
  logBytes,
  throughput,
  memory,
  imports,
  comparisons,
  cost,
  modes,
];
