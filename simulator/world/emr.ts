import type { World } from '../format.ts';
import { awsError } from './aws-error.ts';
import type { Answerer } from './sender.ts';
import { entryAt } from './timeline.ts';

const PAGE = 50;

/** EMR as a scenario scripts it: `j-1` is a cluster, `j-1/s-1` a step. A cluster with steps alone is RUNNING. */
export function scriptedEmr(emr: World['emr'], second: () => number): Answerer {
  const names = Object.keys(emr);
  /** Steps and clusters that were cancelled from outside, and what has become of them. */
  const cancelled = new Map<string, string>();

  function statusOf(name: string, entry: Entry) {
    const state = cancelled.get(name);
    return state === undefined || isOver(entry) ? scripted(entry) : { State: state };
  }

  function stepsOf(cluster: string) {
    return names
      .filter((name) => name.startsWith(`${cluster}/`))
      .flatMap((name) => {
        const entry = entryAt(emr[name], second());
        return entry === undefined ? [] : [{ Id: name.slice(cluster.length + 1), Status: statusOf(name, entry) }];
      });
  }

  function checkCluster(cluster: string): void {
    const known = entryAt(emr[cluster], second()) !== undefined || stepsOf(cluster).length > 0;
    if (!known) throw awsError('InvalidRequestException', `Cluster id '${cluster}' is not valid.`);
  }

  function terminate(ids: unknown): unknown {
    for (const id of Array.isArray(ids) ? ids.map(String) : []) {
      checkCluster(id);
      cancelled.set(id, 'TERMINATED');
    }
    return {};
  }

  return (operation, input) => {
    if (operation === 'TerminateJobFlows') return terminate(input['JobFlowIds']);
    const cluster = String(input['ClusterId']);
    checkCluster(cluster);
    switch (operation) {
      case 'DescribeCluster': {
        const entry = entryAt(emr[cluster], second());
        const status = statusOf(cluster, entry ?? { at: 0, state: 'RUNNING' });
        return { Cluster: { Id: cluster, Status: status } };
      }
      case 'DescribeStep': {
        const step = stepsOf(cluster).find(({ Id }) => Id === input['StepId']);
        if (step === undefined)
          throw awsError('InvalidRequestException', `Step id '${String(input['StepId'])}' is not valid.`);
        return { Step: step };
      }
      case 'CancelSteps': {
        const infos = stepsOf(cluster)
          .filter(({ Id }) => Array.isArray(input['StepIds']) && input['StepIds'].includes(Id))
          .map(({ Id, Status }) => {
            if (isOver({ at: 0, state: Status.State }))
              return { StepId: Id, Status: 'FAILED', Reason: 'It has ended.' };
            cancelled.set(`${cluster}/${Id}`, 'CANCELLED');
            return { StepId: Id, Status: 'SUBMITTED' };
          });
        return { CancelStepsInfoList: infos };
      }
      case 'ListSteps':
        return listSteps(stepsOf(cluster), input);
      default:
        throw new Error(`the simulated EMR has no ${operation}`);
    }
  };
}

interface Step {
  readonly Id: string;
  readonly Status: { readonly State: string };
}

function listSteps(steps: readonly Step[], input: Readonly<Record<string, unknown>>): unknown {
  const ids = input['StepIds'];
  if (Array.isArray(ids)) {
    if (ids.length > 10) throw awsError('InvalidRequestException', 'At most 10 step ids.');
    const found = ids.map((id) => steps.find(({ Id }) => Id === id));
    if (found.includes(undefined)) throw awsError('InvalidRequestException', 'A step id is not valid.');
    return { Steps: found };
  }
  const states = input['StepStates'];
  const wanted = Array.isArray(states) ? steps.filter(({ Status }) => states.includes(Status.State)) : steps;
  const from = Number(input['Marker'] ?? 0);
  const next = from + PAGE;
  return { Steps: wanted.slice(from, next), ...(next < wanted.length ? { Marker: String(next) } : {}) };
}

type Entry = World['emr'][string][number];

function isOver({ state }: Entry): boolean {
  return ['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED', 'TERMINATED', 'TERMINATED_WITH_ERRORS'].includes(state);
}

function scripted(entry: Entry) {
  const { state, reason, message, log_file } = entry;
  const details = {
    ...(reason && { Reason: reason }),
    ...(message && { Message: message }),
    ...(log_file && { LogFile: log_file }),
  };
  return { State: state, ...(Object.keys(details).length > 0 ? { FailureDetails: details } : {}) };
}
