import { datetime } from './datetime.ts';
import { emrJobFlow } from './emr-job-flow.ts';
import { emrStep } from './emr-step.ts';
import { external } from './external.ts';
import { anyKind, type AnyKind } from './kind.ts';
import { s3Key } from './s3-key.ts';

/** Sensors that ask the outside, or the clock. A new one is its file, and a line here. */
const WATCHING: readonly [AnyKind, ...AnyKind[]] = [
  anyKind(s3Key),
  anyKind(emrStep),
  anyKind(emrJobFlow),
  anyKind(datetime),
];

/** All sensors, without their clients. */
export const KINDS: readonly [AnyKind, ...AnyKind[]] = [...WATCHING, anyKind(external(WATCHING))];
