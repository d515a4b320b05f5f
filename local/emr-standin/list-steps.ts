import { type Clusters, findStep } from './cluster.ts';
import { invalidRequest } from './fault.ts';
import type { Input } from './inputs.ts';
import { stepShape } from './shapes.ts';
import { type Step, stepState } from './step.ts';

const PAGE = 50;
const MAX_IDS = 10;

/**
 * ListSteps: newest first, or in the order of the ids that are asked for; 50 a page.
 * @throws EmrFault for an unknown cluster, one unknown step id among others, more than ten ids or a marker that is none.
 */
export function listSteps(clusters: Clusters, input: Input<'ListSteps'>, now: number): object {
  const { ClusterId, StepIds, StepStates, Marker } = input;
  const cluster = clusters.get(ClusterId);
  if (StepIds.length > MAX_IDS) throw invalidRequest(`You can specify a maximum of ${MAX_IDS} stepIDs.`);
  const candidates =
    StepIds.length > 0 ? StepIds.map((id) => findStep(cluster, id)) : [...cluster.steps.values()].toReversed();
  const states = new Set<string>(StepStates);
  const rest = candidates
    .slice(Marker === undefined ? 0 : positionAfter(candidates, Marker))
    .filter((step) => states.size === 0 || states.has(stepState(step, now)));
  const page = rest.slice(0, PAGE);
  const last = page.at(-1);
  return {
    Steps: page.map((step) => stepShape(step, now)),
    ...(rest.length > PAGE && last !== undefined && { Marker: Buffer.from(last.id).toString('base64') }),
  };
}

/** A marker names the last step of the page before: pages stay right while steps are added or change their state. */
function positionAfter(steps: readonly Step[], marker: string): number {
  const id = Buffer.from(marker, 'base64').toString();
  const index = steps.findIndex((step) => step.id === id);
  if (index < 0) throw invalidRequest('Invalid marker.');
  return index + 1;
}
