/** The pages that are made of schemas are fresh, and the tables that are written by hand say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseTask } from '../../functions/api/schemas/task.ts';
import { KINDS } from '../../functions/sensors/list.ts';
import { DOCS, pages } from '../../scripts/docs.ts';
import { readDocument } from '../../scripts/docs/document.ts';
import { ONE_QUEUE } from '../../scripts/openapi.ts';
import { SENSOR_WORDS } from '../../scripts/docs/sensor-words.ts';

const fresh = await pages();
const document = readDocument();
const README = readFileSync(join(DOCS, '..', 'README.md'), 'utf8');

describe('docs/api.md and docs/sensors', () => {
  test.each([...fresh.keys()])('%s is what the schemas make of it (npm run docs)', (path) => {
    expect(readFileSync(join(DOCS, path), 'utf8')).toBe(fresh.get(path));
  });

  test('there is a page for each sensor, and no other', () => {
    const wanted = ['README.md', ...KINDS.map(({ type }) => `${type}.md`)];
    expect(readdirSync(join(DOCS, 'sensors')).toSorted()).toEqual(wanted.toSorted());
    expect(Object.keys(SENSOR_WORDS).toSorted()).toEqual(KINDS.map(({ type }) => type).toSorted());
  });

  test('every route stands in the page of the API, those below a queue as rows', () => {
    for (const { route, below } of routesOf(document)) {
      expect(fresh.get('api.md')).toContain(below ? `\n| \`${route}\` | [` : `\n### ${route}\n`);
    }
  });

  test.each(Object.entries(SENSOR_WORDS))('the example of %s is a task that is taken', (_type, { example }) => {
    expect(parseTask(example)).toMatchObject({ ok: true });
  });

  test.each([...fresh])('the links of %s lead somewhere', (path, text) => {
    for (const [, file = '', anchor = ''] of text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = file === '' ? path : join('sensors', '..', path, '..', file);
      const page = fresh.get(target) ?? readFileSync(join(DOCS, target), 'utf8');
      expect([file, anchor, anchor === '' || anchorsOf(page).includes(anchor)]).toEqual([file, anchor, true]);
    }
  });
});

/** The routes of the document, and whether they stand below a queue. */
function routesOf({ paths }: typeof document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]) => ({
      route: `${method.toUpperCase()} ${path}`,
      below: tags.includes(ONE_QUEUE),
    })),
  );
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

describe('README.md', () => {
  test('a task: every field, with its default', () => {
    const { properties = {}, required = [] } = document.components.schemas['SubmittedTask'] ?? {};
    const defaults = Object.entries(properties).map(([name, field]) => {
      // Its default is made, and so no constant of the schema.
      if (name === 'id') return [name, 'a UUIDv7'];
      if (required.includes(name)) return [name, ''];
      return [name, valueOf(field.default)];
    });
    const said = rowsOf('### A task').flatMap(([names = '', value = '']) =>
      namesIn(names).map((name) => [name, value.replaceAll('`', '')]),
    );
    expect(said).toEqual(defaults);
  });

  test('sensors: every one, with every field and its default', () => {
    const said = rowsOf('### Sensors').map(([type = '', , fields = '']) => ({
      type: type.replaceAll(/[`[\]]|\(.*\)/g, ''),
      fields,
    }));
    expect(said.map(({ type }) => type)).toEqual(KINDS.map(({ type }) => type));
    for (const { type, fields } of said) {
      const { properties = {} } = document.components.schemas[`Sensor_${type}`] ?? {};
      const { type: _, ...others } = properties;
      const words = fields.replaceAll('`', '');
      for (const [name, field] of Object.entries(others)) {
        const text = field.default === undefined ? '' : valueOf(field.default);
        expect(words).toMatch(new RegExp(`\\b${name}\\b${text === '' ? '' : `\\W+${text}`}`));
      }
    }
  });

  test('a queue: every field, with its default', () => {
    const { properties = {} } = document.components.schemas['QueueSettings'] ?? {};
    const said = rowsOf('### A queue').flatMap(([names = '', values = '']) => {
      const defaults = values.replaceAll('`', '').split(', ');
      return namesIn(names).map((name, at) => [name, defaults[at]]);
    });
    expect(said).toEqual(Object.entries(properties).map(([name, field]) => [name, valueOf(field.default)]));
  });

  test('the routes', () => {
    const routes = routesOf(document).flatMap(({ route, below }) => (below ? [] : [route]));
    const said = rowsOf('## The API').flatMap(([names = '']) => namesIn(names));
    const short = said.map((name) => (name === 'PUT' || name === 'GET' ? `${name} /v1/queues/{name}` : name));
    expect(short.toSorted()).toEqual(routes.toSorted());
  });
});

/** The rows of the first table after a heading, by cells. */
function rowsOf(heading: string): string[][] {
  const after = README.slice(README.indexOf(`\n${heading}\n`));
  const [, table = ''] = /\n\|(?:---\|)+\n((?:\|.*\n)+)/.exec(after) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** A default as the tables have it: a list without its brackets. */
function valueOf(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.map(valueOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What stands in backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
