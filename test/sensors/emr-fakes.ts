import { awsError, fakeSender } from './fakes.ts';

export const step = (step_id: string, more: object = {}): object => ({
  type: 'emr_step',
  job_flow_id: 'j-1',
  step_id,
  ...more,
});
export const steps = (count: number): object[] => Array.from({ length: count }, (_, index) => step(`s-${index + 1}`));
export const refused = (message: string): Error => awsError('InvalidRequestException', 400, { message });

export interface ListInput {
  readonly StepIds?: readonly string[];
  readonly StepStates?: readonly string[];
  readonly Marker?: string;
}

/** A cluster as EMR answers for it: `states` of steps in the order of the list; an id that is not there is refused. */
export function emrWith(states: Readonly<Record<string, string>>, details: object = {}) {
  const told = (Id: string): object => ({ Id, Status: { State: states[Id], ...details } });
  return fakeSender({
    ListSteps({ StepIds, StepStates, Marker }: ListInput) {
      const bad = StepIds?.find((id) => !(id in states));
      if (bad !== undefined) return refused(`Step id '${bad}' is not valid.`);
      const ids = Object.keys(states).filter(
        (id) => (StepIds?.includes(id) ?? true) && (StepStates?.includes(states[id]!) ?? true),
      );
      const from = Number(Marker ?? 0);
      return {
        Steps: ids.slice(from, from + 50).map(told),
        Marker: from + 50 < ids.length ? `${from + 50}` : undefined,
      };
    },
    DescribeStep: ({ StepId }: { StepId: string }) =>
      StepId in states ? { Step: told(StepId) } : refused(`Step id '${StepId}' is not valid.`),
  });
}
