/** docs/sensors: a page for each sensor, and one that names them all. */
import type { Observation } from '../../functions/core/observation.ts';
import { DEFAULT_RATES } from '../../functions/core/rates.ts';
import type { AnyKind } from '../../functions/sensors/kind.ts';
import { KINDS } from '../../functions/sensors/list.ts';
import { parseSensor } from '../../functions/sensors/registry.ts';
import type { Permission } from '../../functions/sensors/sensor.ts';
import type { Document, Schema } from './document.ts';
import { inputTable, table } from './fields.ts';
import type { Link } from './fields.ts';
import { GENERATED } from './generated.ts';
import { observationIn } from './poke-case.ts';
import type { Case } from './poke-case.ts';
import { SENSOR_WORDS } from './sensor-words.ts';
import type { SensorWords } from './sensor-words.ts';

const link: Link = (component) => {
  const type = component.replace(/^Sensor_/, '');
  return `[\`${type}\`](${type}.md)`;
};

/** What an observation is to a task; the sensors have no say in it. */
const MEANINGS: readonly (readonly [Observation['kind'], string])[] = [
  ['met', '`success`, also where the deadline has passed meanwhile'],
  [
    'not_met',
    'it waits on; where its deadline has passed: `failed` with the reason `timeout` (`skipped` with `soft_fail` or `never_fail`), and no retry unless `retry_on_timeout`',
  ],
  [
    'failed',
    'what is watched has failed: `up_for_retry` while there are tries left, else `failed` (`skipped` at once with `never_fail`)',
  ],
  [
    'error',
    'it can never come true as it stands (access, a name that there is not): as `failed`; with `silent_fail` as `not_met`',
  ],
  [
    'unknown',
    'nothing: no try is used and nobody is told, for `infra_window_seconds` (130 minutes); after that it is a failure',
  ],
];

/** @returns the pages by their file name. */
export async function sensorPages(document: Document): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([['README.md', indexPage()]]);
  for (const kind of KINDS) {
    const schema = document.components.schemas[`Sensor_${kind.type}`];
    if (schema === undefined) throw new Error(`the OpenAPI document does not know the sensor ${kind.type}`);
    pages.set(`${kind.type}.md`, await sensorPage(kind, schema));
  }
  return pages;
}

/** @throws Error that says where the words of a new sensor go */
export function wordsOf({ type }: AnyKind): SensorWords {
  const words = SENSOR_WORDS[type];
  if (words === undefined) throw new Error(`scripts/docs/sensor-words.ts has no words for the sensor ${type}`);
  return words;
}

function indexPage(): string {
  return [
    '# Sensors',
    '',
    GENERATED,
    '',
    ...table(
      ['type', 'waits until', 'asks'],
      KINDS.map((kind) => [link(kind.type), wordsOf(kind).until, kind.operations.join(', ') || 'nobody']),
    ),
    '',
    'A poke says one of five things, whatever the sensor. What that means for a task is for the rules to say, in every mode',
    'alike:',
    '',
    ...table(
      ['observation', 'the task'],
      MEANINGS.map(([kind, meaning]) => [`\`${kind}\``, meaning]),
    ),
    '',
    'Equal conditions of a queue and mode are one poke, however many tasks wait for them. What a poke may read is for the operator',
    'to open (`allow`): a submit that names anything else is answered 403.',
    '',
  ].join('\n');
}

async function sensorPage(kind: AnyKind, schema: Schema): Promise<string> {
  const words = wordsOf(kind);
  const parsed = parseSensor(words.example.sensor);
  if (!parsed.ok) throw new Error(`the example of ${kind.type} is refused: ${JSON.stringify(parsed.issues)}`);
  const { type: _, ...fields } = schema.properties ?? {};
  return [
    `# ${kind.type}`,
    '',
    `${GENERATED} [All sensors](README.md).`,
    '',
    `It waits until ${words.until}.`,
    '',
    '## Fields',
    '',
    'Beside `type`:',
    '',
    ...inputTable({ ...schema, properties: fields }, link),
    '',
    'Unknown fields are refused. How it is waited for (`poke_interval`, `timeout`, `retries`, ...) is said beside `sensor`:',
    'see [a task](../api.md#submittedtask).',
    '',
    '## Example',
    '',
    '`POST /v1/tasks`',
    '',
    '```json',
    JSON.stringify(words.example, null, 2),
    '```',
    '',
    '## What a poke says',
    '',
    ...table(['when', 'observation', 'in its words'], await caseRows(kind, words)),
    '',
    'What each means for the task stands in [all sensors](README.md).',
    '',
    '## Calls',
    '',
    ...words.calls.map((line) => `- ${line}`),
    ...budgetLine(kind),
    '',
    '## What it needs',
    '',
    ...needs(kind, kind.resources(parsed.spec)),
    '',
    ...(words.notes.length === 0 ? [] : ['## Good to know', '', ...words.notes.map((line) => `- ${line}`), '']),
  ].join('\n');
}

async function caseRows(kind: AnyKind, { example, cases }: SensorWords): Promise<string[][]> {
  const rows: string[][] = [];
  for (const happens of cases) {
    const observation = await observationIn(kind, specOf(kind, example.sensor, happens), happens);
    rows.push([happens.when, `\`${observation.kind}\``, saidBy(observation)]);
  }
  return rows;
}

function specOf(kind: AnyKind, sensor: object, happens: Case) {
  const parsed = parseSensor({ ...sensor, ...happens.with });
  if (!parsed.ok) throw new Error(`the case "${happens.when}" of ${kind.type} is refused`);
  return parsed.spec;
}

function saidBy(observation: Observation): string {
  switch (observation.kind) {
    case 'met':
      return observation.value === undefined ? '' : `result \`${JSON.stringify(observation.value)}\``;
    case 'not_met':
      return observation.detail ?? (observation.state === undefined ? '' : `state \`${observation.state}\``);
    case 'failed':
    case 'error':
    case 'unknown':
      return observation.reason;
  }
}

function budgetLine({ operations }: AnyKind): string[] {
  const budgets = operations.flatMap((operation) => {
    const name = operation in DEFAULT_RATES ? operation : (operation.split(':')[0] ?? '');
    const rate = DEFAULT_RATES[name];
    return rate === undefined ? [] : [`\`${name}\` ${rate.rate} a second (burst ${rate.burst})`];
  });
  return budgets.length === 0 ? [] : [`- Default budgets of a queue: ${[...new Set(budgets)].join(', ')}.`];
}

function needs({ permissions, cancelling }: AnyKind, resources: readonly string[]): string[] {
  if (permissions.length === 0 && resources.length === 0) return ['No permission, and nothing in `allow`.'];
  const opened = `A submit of the example wants this opened in \`allow\`: ${resources.map((arn) => `\`${arn}\``).join(', ')}.`;
  if (permissions.length === 0) return [`The permissions of what it watches. ${opened}`];
  return [
    'The roles of the workers have these permissions, on what `allow` opens of the resources:',
    '',
    ...permissionTable(permissions),
    '',
    opened,
    ...(cancelling === undefined
      ? []
      : ['', 'For `cancel_on_kill`, with `allowCancel`, besides:', '', ...permissionTable(cancelling.permissions)]),
  ];
}

function permissionTable(permissions: readonly Permission[]): string[] {
  const rows = permissions.map(({ actions, resources }) =>
    [actions, resources].map((each) => each.map((one) => `\`${one}\``).join(', ')),
  );
  return table(['actions', 'resources'], rows);
}
