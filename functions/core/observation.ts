/**
 * What one poke says (DESIGN: the third value, unknown, never fails a task, never alerts and never kills).
 * `state` is the outside's own name of its state (RUNNING, PENDING): when it changes, the observation has changed.
 */
export type Observation =
  | { readonly kind: 'met'; readonly value?: unknown }
  | { readonly kind: 'not_met'; readonly state?: string; readonly detail?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'error'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly throttled?: boolean };

/** @returns whether the poke got an answer at all: anything but unknown. */
export function isClean(observation: Observation): boolean {
  return observation.kind !== 'unknown';
}

/** @returns the part of an observation whose change is worth a write: its kind, and the outside state's name. */
export function fingerprint(observation: Observation | undefined): string {
  if (observation === undefined) return 'not_met:';
  return observation.kind === 'not_met' ? `not_met:${observation.state ?? ''}` : observation.kind;
}
