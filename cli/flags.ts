/** Flags out of schemas: each field of a task or a sensor is a flag of its own. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { COMMON_FLAGS, seconds } from './options.ts';

/** What is used of a JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

export interface Field {
  readonly name: string;
  /** Without its dashes: `poke-interval`. */
  readonly flag: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly note: string;
}

export interface SensorFields {
  readonly type: string;
  readonly summary: string;
  readonly fields: readonly Field[];
}

export interface Fields {
  readonly task: readonly Field[];
  readonly sensors: readonly SensorFields[];
}

export const NO_FIELDS: Fields = { task: [], sensors: [] };

const dashed = (name: string): string => name.replaceAll('_', '-');

/**
 * @param taken flags that mean something else already: a field of the same name gets `--sensor-<name>`
 * @param notes what the fields mean, by name
 */
export function fieldsOf(
  { properties = {}, required = [] }: Schema,
  {
    taken = COMMON_FLAGS,
    notes = {},
    without = [],
  }: {
    readonly taken?: readonly string[];
    readonly notes?: Readonly<Record<string, string>>;
    readonly without?: readonly string[];
  } = {},
): Field[] {
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, schema]) => ({
      name,
      flag: taken.includes(dashed(name)) ? `sensor-${dashed(name)}` : dashed(name),
      schema,
      required: required.includes(name),
      note: notes[name] ?? schema.description ?? '',
    }));
}

/** @returns the types that a schema takes, those of its branches included. */
function typesOf({ type, anyOf = [], oneOf = [], const: constant }: Schema): Set<string> {
  const own = type === undefined ? (constant === undefined ? [] : [typeof constant]) : [type].flat();
  return new Set([...own, ...[...anyOf, ...oneOf].flatMap((branch) => [...typesOf(branch)])]);
}

/** What a list has in it, where the schema takes one; it may be one of several branches. */
function itemsOf({ items, anyOf = [], oneOf: others = [] }: Schema): Schema {
  return items ?? [...anyOf, ...others].find((branch) => branch.items !== undefined)?.items ?? {};
}

/** The values that a text may have; undefined: any. */
function choicesOf({ enum: values }: Schema): string[] | undefined {
  return values?.every((value) => typeof value === 'string') === true ? [...values] : undefined;
}

/** Adds a flag for each of the fields. */
export function addFields(command: Command, fields: readonly Field[], group: string): void {
  for (const field of fields) command.addOption(optionOf(field).helpGroup(group));
}

function optionOf(field: Field): Option {
  const { flag, schema, required, note } = field;
  const types = typesOf(schema);
  const help = [note, defaultWords(schema)].filter((part) => part !== '').join(' ');
  const only = (...names: string[]): boolean => [...types].every((type) => names.includes(type));
  if (only('boolean')) return new Option(`--${flag}`, help);
  if (types.has('boolean')) return new Option(`--${flag} [factor]`, help).argParser(number);
  const made = (value: string): Option => new Option(`--${flag} <${value}>`, help).makeOptionMandatory(required);
  if (types.has('array')) {
    const items = itemsOf(schema);
    const choices = choicesOf(items);
    const isNumber = [...typesOf(items)].some((type) => type === 'number' || type === 'integer');
    const value = isNumber ? 'number...' : choices === undefined ? 'text...' : 'value...';
    return made(value).argParser(listOf(isNumber ? number : oneOf(choices)));
  }
  if (types.has('object')) {
    return isRecord(schema) ? made('name=value...').argParser(pair) : made('json').argParser(json);
  }
  if (only('number', 'integer')) return made('number').argParser(number);
  if (types.has('number')) return made('duration').argParser(seconds);
  const choices = choicesOf(schema);
  return choices === undefined ? made('text') : made('value').choices(choices);
}

function isRecord({ additionalProperties: values, properties }: Schema): boolean {
  return properties === undefined && typeof values === 'object' && values.type === 'string';
}

function defaultWords({ default: value }: Schema): string {
  return value === undefined || value === false ? '' : `(default: ${[value].flat().map(String).join(', ')})`;
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

function oneOf(choices: readonly string[] | undefined) {
  return (text: string): string => {
    if (choices === undefined || choices.includes(text)) return text;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };
}

function listOf(read: (text: string) => unknown) {
  return (text: string, before: readonly unknown[] = []): unknown[] => [...before, read(text)];
}

function pair(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

/** @returns the fields that were given, by their names in the API. */
export function bodyOf(fields: readonly Field[], given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = fields.flatMap(({ name, flag, schema }): [string, unknown][] => {
    const value = given[new Option(`--${flag}`).attributeName()];
    if (value === undefined) return [];
    // Of what may be one or several, one is itself.
    const single = Array.isArray(value) && value.length === 1 && typesOf(schema).size > 1;
    return [[name, single ? (value[0] as unknown) : value]];
  });
  return Object.fromEntries(entries);
}
