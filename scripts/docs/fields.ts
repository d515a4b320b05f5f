/** Schemas in words: tables of fields with type, default and limits. */
import { nameOf } from './document.ts';
import type { Schema } from './document.ts';

/** Turns the name of a component into a link. */
export type Link = (component: string) => string;

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Text for a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Seconds as a number, or an ISO 8601 duration: schemas have both, and people call it one thing. */
function isDuration({ anyOf = [] }: Schema): boolean {
  return anyOf.length === 2 && anyOf[1]?.description?.startsWith('ISO 8601 duration') === true;
}

/** @returns the type in words: `text`, `a list of ...`, the values of an enumeration, a link. */
export function typeOf(schema: Schema, link: Link): string {
  if (schema.$ref !== undefined) return link(nameOf(schema.$ref));
  if (isDuration(schema)) return 'duration';
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    // Each only once: values with a format of their own may read the same.
    return [...new Set(union.map((each) => typeOf(each, link)))].join(' or ');
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'anything';
  return types.map((type) => plainType(type, schema, link)).join(' or ');
}

function plainType(type: string, schema: Schema, link: Link): string {
  switch (type) {
    case 'string':
      return schema.format === 'date-time' ? 'instant' : 'text';
    case 'integer':
      return 'whole number';
    case 'array':
      return schema.items?.properties === undefined ? `list of ${typeOf(schema.items ?? {}, link)}` : 'list';
    case 'object':
      return typeof schema.additionalProperties === 'object' && schema.properties === undefined
        ? `${typeOf(schema.additionalProperties, link)} by name`
        : 'object';
    default:
      return type;
  }
}

const SAFE = 9_007_199_254_740_991;

/** @returns the limits in words; empty where there are none. */
export function limitsOf(schema: Schema): string {
  if (isDuration(schema)) return `${range(schema.anyOf?.[0] ?? {})} s`;
  const { pattern, minLength, maxLength, minItems, maxItems, anyOf = [] } = schema;
  const parts = [
    range(schema),
    between(minLength, maxLength, 'characters'),
    between(minItems, maxItems, 'entries'),
    pattern === undefined ? '' : code(pattern),
    ...anyOf.map(limitsOf),
  ];
  return [...new Set(parts.filter((part) => part !== ''))].join('; ');
}

function range({ minimum, maximum }: Schema): string {
  const least = minimum === undefined || minimum <= -SAFE ? undefined : minimum;
  const most = maximum === undefined || maximum >= SAFE ? undefined : maximum;
  return between(least, most, '');
}

function between(least: number | undefined, most: number | undefined, what: string): string {
  if (least === 1 && most === undefined && what !== '') return 'not empty';
  const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  const unit = what === '' ? '' : ` ${what}`;
  if (least !== undefined && most !== undefined) return `${number(least)} to ${number(most)}${unit}`;
  if (least !== undefined) return `at least ${number(least)}${unit}`;
  return most === undefined ? '' : `at most ${number(most)}${unit}`;
}

/** @returns what a field is when it is left out. */
export function defaultOf(schema: Schema, required: boolean): string {
  if (required) return 'required';
  return schema.default === undefined ? 'none' : code(schema.default);
}

/** @returns a table of what is sent: field, type, default, limits, meaning. */
export function inputTable(schema: Schema, link: Link): string[] {
  const { properties = {}, required: always } = merged(schema);
  const rows = Object.entries(properties).map(([name, field]) => {
    const required = always?.includes(name) === true;
    const limits = limitsOf(field);
    return [code(name), typeOf(field, link), defaultOf(field, required), limits, field.description ?? ''];
  });
  return table(['field', 'type', 'default', 'limits', 'meaning'], rows);
}

/** @returns a table of what is answered: field, type, meaning; of what lies within, too. */
export function outputTable(schema: Schema, link: Link): string[] {
  const rows = outputRows(schema, '', link);
  const meant = rows.some(([, , meaning]) => meaning !== '');
  return meant
    ? table(['field', 'type', 'meaning'], rows)
    : table(
        ['field', 'type'],
        rows.map((row) => row.slice(0, 2)),
      );
}

function outputRows(schema: Schema, above: string, link: Link): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${above}${name}`;
    const always = schema.required?.includes(name) === true;
    const row = [`${code(path)}${always ? '' : '?'}`, typeOf(field, link), field.description ?? ''];
    const list = field.items !== undefined;
    return [row, ...outputRows(merged(field.items ?? field), `${path}${list ? '[].' : '.'}`, link)];
  });
}

/** Alternatives as one: what only some of them have may be missing. */
function merged(schema: Schema): Schema {
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties !== undefined);
  const [first, ...others] = variants;
  if (first === undefined) return schema;
  const properties: Record<string, Schema> = {};
  for (const [name, field] of variants.flatMap((variant) => Object.entries(variant.properties ?? {}))) {
    const before = properties[name];
    const values = [before, field].flatMap((each) => each?.enum ?? (each?.const === undefined ? [] : [each.const]));
    properties[name] = before === undefined || values.length < 2 ? field : { enum: values };
  }
  const required = (first.required ?? []).filter((name) => others.every((each) => each.required?.includes(name)));
  return { properties, required };
}

/** @returns a table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)];
}
