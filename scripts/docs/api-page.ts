/** docs/api.md: the OpenAPI document for people. */
import { ONE_QUEUE } from '../openapi.ts';
import { nameOf } from './document.ts';
import type { Content, Document, Operation, Schema } from './document.ts';
import { inputTable, outputTable, table, typeOf } from './fields.ts';
import type { Link } from './fields.ts';
import { GENERATED } from './generated.ts';

/** Statuses that every route may answer: said once. */
const COMMON = ['500', '503'];

/** Components that are sent, and not answered. */
const SENT = ['SubmittedTask', 'Batch', 'QueueSettings', 'Mark', 'RunRequest', 'StateRequest', 'Heartbeat'];

const link: Link = (name) => {
  if (name === 'Sensor') return '[a sensor](sensors/README.md)';
  const type = /^Sensor_(.+)$/.exec(name)?.[1];
  return type === undefined ? `[${name}](#${name.toLowerCase()})` : `[\`${type}\`](sensors/${type}.md)`;
};

/** @returns the page. */
export function apiPage(document: Document): string {
  const { info, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.startsWith('Sensor'));
  const lines = [
    '# The API',
    '',
    `${GENERATED} It is [openapi.json](../openapi.json)`,
    `for people, version ${info.version}; a deployed service answers that to \`GET /openapi.json\`.`,
    '',
    'Every route wants a request signed with AWS Signature Version 4 for the service `execute-api`, and IAM lets a caller invoke',
    'it or not. Bodies are JSON. A *duration* is a number of seconds, or ISO 8601 as text (`"PT5M"`); an *instant* is ISO 8601.',
    'Unknown fields are refused. In answers a `?` marks a field that may be missing.',
    '',
    'A refusal is `application/problem+json`, a [Problem](#problem). Any route may answer 503 when the service is busy (with',
    '`Retry-After`; repeating is safe), and 500 for a defect of the service.',
    '',
    ...table(
      ['route', 'does'],
      operations
        .filter(({ operation }) => !operation.tags.includes(ONE_QUEUE))
        .map(({ route, operation }) => [linkTo(route), operation.summary]),
    ),
    ...tags.flatMap(({ name, description }) => [
      '',
      `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      '',
      description,
      ...sectionsOf(
        name,
        operations.filter(({ operation }) => operation.tags.includes(name)),
      ),
    ]),
    '',
    '## Schemas',
    ...schemas.flatMap(([name, schema]) => ['', `### ${name}`, '', ...schemaTable(name, schema)]),
    '',
  ];
  return lines.join('\n');
}

interface Described {
  readonly route: string;
  readonly operation: Operation;
}

/** A section for each route; those below a queue are a table that says which route each is like. */
function sectionsOf(tag: string, operations: readonly Described[]): string[] {
  if (tag !== ONE_QUEUE)
    return operations.flatMap(({ route, operation }) => ['', ...operationSection(route, operation)]);
  const rows = operations.map(({ route }) => [`\`${route}\``, linkTo(route.replace('/queues/{name}', ''))]);
  return ['', ...table(['route', 'is as'], rows)];
}

function linkTo(route: string): string {
  return `[\`${route}\`](#${anchor(route)})`;
}

/** As GitHub makes it of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function operationSection(route: string, { summary, parameters = [], requestBody, responses }: Operation): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const asked = Object.fromEntries(
    query.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  );
  return [
    `### ${route}`,
    '',
    `${summary}.`,
    ...(query.length === 0 ? [] : ['', 'Query:', '', ...inputTable({ properties: asked }, link)]),
    ...(requestBody === undefined ? [] : ['', ...bodyOf(requestBody.content, requestBody.required)]),
    '',
    ...table(['answer', '', 'body'], answersOf(responses)),
    ...inlineAnswer(responses),
  ];
}

function bodyOf(content: Content, required: boolean): string[] {
  const schema = schemaIn(content);
  const may = required ? '' : ' It may be left out.';
  if (schema?.properties === undefined) return [`Body: ${schema === undefined ? '' : typeOf(schema, link)}.${may}`];
  if (Object.keys(schema.properties).length === 0) return [`Body: an empty object.${may}`];
  return [`Body:${may}`, '', ...inputTable(schema, link)];
}

function schemaIn(content: Content | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function answersOf(responses: Operation['responses']): string[][] {
  return Object.entries(responses)
    .filter(([status]) => !COMMON.includes(status))
    .map(([status, { description, content }]) => {
      const schema = schemaIn(content);
      if (schema === undefined) return [status, description, ''];
      return [status, description, schema.properties === undefined ? typeOf(schema, link) : 'see below'];
    });
}

/** The answer of a route that no other has. */
function inlineAnswer(responses: Operation['responses']): string[] {
  return Object.values(responses).flatMap(({ content }) => {
    const schema = schemaIn(content);
    return schema?.properties === undefined ? [] : ['', ...outputTable(schema, link)];
  });
}

function schemaTable(name: string, schema: Schema): string[] {
  if (schema.$ref !== undefined) return [link(nameOf(schema.$ref))];
  return SENT.includes(name) ? inputTable(schema, link) : outputTable(schema, link);
}
