import type { CallCounts, GroupFigures } from './figures.ts';
import { type Group, GROUP_NAMES, POKE_INTERVAL } from './plan.ts';
import { count, duration, saved, table } from './text.ts';

export interface Outcome {
  readonly groups: ReadonlyMap<Group, GroupFigures>;
  readonly calls: CallCounts;
  /** Different facts that the bus has told, and how many messages it took. */
  readonly alerts: { readonly facts: number; readonly expected: number; readonly deliveries: number };
  /** A sentence for each task that did not end as it should. */
  readonly wrong: readonly string[];
  /** A sentence for each fact that the bus has not told, or should not have. */
  readonly untold: readonly string[];
  /** From the first submit to the first tick of the schedule, ms. */
  readonly firstTickMs: number;
  /** From the first submit to the last end, ms. */
  readonly demoMs: number;
}

/** @returns the lines of the demo's result. */
export function describe(outcome: Outcome, totalMs: number): readonly string[] {
  const { groups, calls, alerts, wrong, untold, firstTickMs, demoMs } = outcome;
  const repeated = alerts.deliveries - alerts.facts;
  const ticked = Number.isFinite(firstTickMs) ? `first ticked after ${duration(firstTickMs)}` : 'never ticked';
  const faults = [
    wrong.length === 0 ? 'every task ended as it should' : `${count(wrong.length)} tasks did not end as they should`,
    ...(untold.length === 0 ? [] : [`${count(untold.length)} events are missing or too many`]),
  ];
  return [
    ...table([
      ['tasks that wait for', 'tasks', 'ended as', 'tries', 'detected: median', 'slowest'],
      ...[...groups].map(([group, figures]) => [
        GROUP_NAMES[group],
        count(figures.tasks),
        [...figures.states].map(([state, tasks]) => `${count(tasks)} ${state}`).join(', '),
        count(figures.tries),
        figures.medianMs === undefined ? '-' : duration(figures.medianMs),
        figures.slowestMs === undefined ? '-' : duration(figures.slowestMs),
      ]),
    ]),
    '',
    ...table([['calls', 'made', 'one per task and poke', 'saved'], ...callRows(groups, calls)]),
    '',
    `events   ${count(alerts.facts)} of ${count(alerts.expected)} facts told on the bus, ${count(repeated)} told more than once`,
    `time     ${duration(demoMs)} from the first submit to the last end; the schedule ${ticked}`,
    `in all   ${duration(totalMs)}, with the start of the emulator and the deployment`,
    `verdict  ${faults.join(', ')}`,
  ];
}

function callRows(groups: Outcome['groups'], calls: CallCounts): readonly (readonly string[])[] {
  const alone = (names: readonly Group[]): number =>
    names.reduce((sum, name) => sum + (groups.get(name)?.callsAlone ?? 0), 0);
  const emr = Object.values(calls.emr).reduce((sum, made) => sum + made, 0);
  const operations = Object.entries(calls.emr).map(([operation, made]) => `${count(made)} ${operation}`);
  const details = [...operations, `${count(calls.throttled)} throttled`].join(', ');
  const row = (name: string, made: number, without: number) => [
    name,
    count(made),
    count(without),
    saved(made, without),
  ];
  return [row('S3', calls.all - emr, alone(['s3', 'timeout'])), row(`EMR (${details})`, emr, alone(['emr', 'retry']))];
}

/** @returns where to look next, with commands that can be copied. */
export function whereNext(
  service: {
    readonly apiUrl: string;
    readonly endpoint: string;
    readonly emrEndpoint: string;
    readonly stateMachineArn: string;
  },
  identity: { readonly region: string; readonly credentials: { accessKeyId: string; secretAccessKey: string } },
  { run, bucket }: { readonly run: string; readonly bucket: string },
  once: boolean,
): readonly string[] {
  const { region, credentials } = identity;
  const { accessKeyId, secretAccessKey } = credentials;
  return [
    once ? 'Where to look next (start without --once to try it):' : 'Where to look next:',
    `  the API             ${service.apiUrl}`,
    `  the emulator        ${service.endpoint}`,
    `  calls of EMR        ${service.emrEndpoint}/_standin/stats`,
    '  for the command line, the examples and AWS clients, in another terminal:',
    `    export SENSORIUM_URL=${service.apiUrl}`,
    `    export SENSORIUM_STATE_MACHINE_ARN=${service.stateMachineArn}`,
    `    export AWS_ENDPOINT_URL=${service.endpoint} AWS_ENDPOINT_URL_EMR=${service.emrEndpoint}`,
    `    export AWS_REGION=${region} AWS_DEFAULT_REGION=${region}`,
    `    export AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey}`,
    '  why a task ended, or still waits:',
    `    npx sensorium explain ${run}-step-that-fails`,
    '  wait for a key of your own, and let it land:',
    `    npx sensorium submit s3-key --id mine --bucket ${bucket} --key mine --poke-interval ${POKE_INTERVAL}`,
    `    curl -sS -X PUT '${service.endpoint}/${bucket}/mine' --data hello`,
    '    npx sensorium watch mine',
    '  the tasks that have succeeded:',
    `    npx sensorium list --queue ${run} --state success`,
  ];
}
