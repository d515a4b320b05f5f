/** What the scripted world was, asked without any sensor: the judge of successes and failures. */
import { compile } from '../../functions/sensors/fnmatch.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import type { Scenario } from '../format.ts';
import { entryAt } from '../world/timeline.ts';

/** `error`: a permanent refusal; `failed`: the watched thing failed. */
export type Verdict = 'met' | 'not_met' | 'failed' | 'error';

export interface Truth {
  /** @returns whether a poke could have seen this at some moment in [from, to], epoch ms. */
  could(verdict: Verdict, spec: SensorSpec, from: number, to: number): boolean;
  /** @returns since when it is met without a break, epoch ms; undefined if it is not met now. */
  metSince(spec: SensorSpec, now: number): number | undefined;
}

const PERMANENT = new Set(['AccessDenied', 'AccessDeniedException']);

export function createTruth({ world, faults }: Pick<Scenario, 'world' | 'faults'>, start: number): Truth {
  const second = (at: number): number => (at - start) / 1000;

  /** The timelines that decide about a spec. */
  function timelines(spec: SensorSpec): readonly (readonly { readonly at: number }[])[] {
    switch (spec.type) {
      case 's3_key': {
        const { bucket, key, wildcard_match } = spec as unknown as S3Spec;
        const names = wildcard_match ? Object.keys(world.s3) : [bucket, ...key.map((each) => `${bucket}/${each}`)];
        return names.map((name) => world.s3[name] ?? []);
      }
      case 'emr_step':
      case 'emr_job_flow':
        return Object.entries(world.emr).flatMap(([name, life]) =>
          name.split('/', 1)[0] === spec['job_flow_id'] ? [life] : [],
        );
      case 'datetime':
        return [[{ at: second(Date.parse(String(spec['at']))) }]];
      default:
        return [];
    }
  }

  function verdictAt(spec: SensorSpec, at: number): Verdict {
    switch (spec.type) {
      case 's3_key':
        return s3Verdict(spec as unknown as S3Spec, at);
      case 'emr_step': {
        const entry = entryAt(world.emr[`${String(spec['job_flow_id'])}/${String(spec['step_id'])}`], at);
        return emrVerdict(spec as unknown as EmrSpec, entry?.state, STEP_ENDS);
      }
      case 'emr_job_flow':
        return emrVerdict(
          spec as unknown as EmrSpec,
          entryAt(world.emr[String(spec['job_flow_id'])], at)?.state,
          CLUSTER_ENDS,
        );
      case 'datetime':
        return at >= second(Date.parse(String(spec['at']))) ? 'met' : 'not_met';
      default:
        return 'not_met';
    }
  }

  function s3Verdict({ bucket, key, wildcard_match, min_size = 0 }: S3Spec, at: number): Verdict {
    if (entryAt(world.s3[bucket], at)?.present === false) return 'error';
    const isThere = (name: string): boolean => {
      const entry = entryAt(world.s3[name], at);
      return entry?.present === true && (entry.size ?? 0) >= min_size;
    };
    if (wildcard_match) {
      const names = Object.keys(world.s3).filter((name) => name.startsWith(`${bucket}/`));
      const found = key.every((pattern) =>
        names.some((name) => isThere(name) && compile(pattern).matches(name.slice(bucket.length + 1))),
      );
      return found ? 'met' : 'not_met';
    }
    if (key.some((each) => entryAt(world.s3[`${bucket}/${each}`], at)?.denied === true)) return 'error';
    return key.every((each) => isThere(`${bucket}/${each}`)) ? 'met' : 'not_met';
  }

  function refused(spec: SensorSpec, from: number, to: number): boolean {
    const service = spec.type === 's3_key' ? 's3' : 'emr';
    return faults.some(
      (fault) =>
        'service' in fault &&
        'error' in fault &&
        fault.service === service &&
        PERMANENT.has(fault.error) &&
        fault.from <= to &&
        fault.to >= from,
    );
  }

  return {
    could(verdict, spec, fromMs, toMs) {
      const [from, to] = [second(fromMs), second(toMs)];
      if (verdict === 'error' && refused(spec, from, to)) return true;
      if (verdictAt(spec, from) === verdict) return true;
      return timelines(spec).some((life) =>
        life.some(({ at }) => at > from && at <= to && verdictAt(spec, at) === verdict),
      );
    },
    metSince(spec, nowMs) {
      const now = second(nowMs);
      if (verdictAt(spec, now) !== 'met') return undefined;
      const changes = timelines(spec)
        .flatMap((life) => life.map(({ at }) => at))
        .filter((at) => at <= now);
      let since = now;
      for (const at of [...changes, 0].toSorted((a, b) => b - a)) {
        if (verdictAt(spec, at) !== 'met') break;
        since = at;
      }
      return start + since * 1000;
    },
  };
}

interface S3Spec {
  readonly bucket: string;
  readonly key: readonly string[];
  readonly wildcard_match: boolean;
  readonly min_size?: number;
}

interface EmrSpec {
  readonly target_states: readonly string[];
  readonly failed_states: readonly string[];
}

const STEP_ENDS = ['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED'];
const CLUSTER_ENDS = ['TERMINATED', 'TERMINATED_WITH_ERRORS'];

/** What EMR does not know it refuses for good. */
function emrVerdict(
  { target_states, failed_states }: EmrSpec,
  state: string | undefined,
  ends: readonly string[],
): Verdict {
  if (state === undefined) return 'error';
  if (target_states.includes(state)) return 'met';
  return failed_states.includes(state) || ends.includes(state) ? 'failed' : 'not_met';
}
