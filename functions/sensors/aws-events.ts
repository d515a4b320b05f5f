/** Events of EventBridge as event keys: what a sensor's target and an event that may end its wait have in common. */
import * as z from 'zod/mini';
import { CLUSTER_CHANGED, OBJECT_CREATED, STEP_CHANGED, STEP_ENDS } from './event-patterns.ts';

/** How event keys are spelled. Neither a bucket nor a cluster has a slash in its name: none is another's. */
export const eventKeys = {
  object: (bucket: string, key: string): string => `s3:${bucket}/${key}`,
  /** Of waits for more than one key, or for a pattern. */
  bucket: (bucket: string): string => `s3:${bucket}`,
  step: (cluster: string, step: string): string => `emr:${cluster}/${step}`,
  cluster: (cluster: string): string => `emr:${cluster}`,
};

const text = z.string().check(z.minLength(1), z.maxLength(1024));

const id = text;

const objectCreated = z.object({
  id,
  source: z.literal(OBJECT_CREATED.source),
  'detail-type': z.literal(OBJECT_CREATED.detailType),
  detail: z.object({ bucket: z.object({ name: text }), object: z.object({ key: text }) }),
});
const stepChanged = z.object({
  id,
  source: z.literal(STEP_CHANGED.source),
  'detail-type': z.literal(STEP_CHANGED.detailType),
  detail: z.object({ clusterId: text, stepId: text, state: z.enum(STEP_ENDS) }),
});
const clusterChanged = z.object({
  id,
  source: z.literal(CLUSTER_CHANGED.source),
  'detail-type': z.literal(CLUSTER_CHANGED.detailType),
  detail: z.object({ clusterId: text, state: text }),
});

const event = z.discriminatedUnion('detail-type', [objectCreated, stepChanged, clusterChanged]);

/** An event that can end a wait. */
export interface Happened {
  /** One id for one event; it may be delivered more than once. */
  readonly id: string;
  /** What it happened to, as an event key. */
  readonly narrowest: string;
  /** All keys under which it finds targets. */
  readonly keys: readonly string[];
}

/** @returns what an event of EventBridge says; undefined if it can end no wait. */
export function readEvent(payload: unknown): Happened | undefined {
  const parsed = event.safeParse(payload);
  if (!parsed.success) return undefined;
  const [narrowest, ...wider] = keysOf(parsed.data);
  return { id: parsed.data.id, narrowest, keys: [narrowest, ...wider] };
}

function keysOf(happened: z.infer<typeof event>): readonly [string, ...string[]] {
  switch (happened['detail-type']) {
    case OBJECT_CREATED.detailType: {
      const { bucket, object } = happened.detail;
      return [eventKeys.object(bucket.name, object.key), eventKeys.bucket(bucket.name)];
    }
    case STEP_CHANGED.detailType:
      return [eventKeys.step(happened.detail.clusterId, happened.detail.stepId)];
    case CLUSTER_CHANGED.detailType:
      return [eventKeys.cluster(happened.detail.clusterId)];
  }
}
