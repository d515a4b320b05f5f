import { alerts } from './alerts.ts';
import { causes } from './causes.ts';
import type { Invariant, Watch } from './invariant.ts';
import { liveness } from './liveness.ts';
import { records, watched } from './records.ts';
import { shards } from './shards.ts';
import { waste } from './waste.ts';

/** Every rule that a run is held to. */
export const INVARIANTS: readonly ((watch: Watch) => Invariant)[] = [
  records,
  watched,
  causes,
  shards,
  alerts,
  waste,
  liveness,
];
