/** Reads the PartiQL statements that the table sends, and nothing besides them, as the requests that mean the same. */
import type { AttributeValue, BatchStatementRequest } from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  readonly item: Item;
}

export interface UpdateStatement {
  readonly kind: 'update';
  readonly table: string;
  readonly key: Item;
  readonly set: Item;
  readonly remove: readonly string[];
  readonly condition: readonly { readonly attribute: string; readonly op: string; readonly value?: AttributeValue }[];
}

/** AWS's own bound. */
const MAX_CHARACTERS = 8192;

const CLAUSE = String.raw`"([^"]+)" (?:(IS NOT MISSING|IS MISSING)|(<>|<=|>=|<|>|=) \?)`;
const UPDATE = new RegExp(
  String.raw`^UPDATE "([^"]+)"((?: SET "[^"]+"=\?)*)((?: REMOVE "[^"]+")*) WHERE "pk"=\?((?: AND ${CLAUSE})*)$`,
);

/** @returns what a statement asks for; undefined where it is not well formed. */
export function readStatement(request: BatchStatementRequest): Insert | UpdateStatement | undefined {
  const { Statement = '', Parameters = [] } = request;
  if (Statement.length > MAX_CHARACTERS) return undefined;
  const values = [...Parameters];
  const statement = readInsert(Statement, values) ?? readUpdate(Statement, values);
  return values.length === 0 ? statement : undefined;
}

function readInsert(text: string, values: AttributeValue[]): Insert | undefined {
  const match = /^INSERT INTO "([^"]+)" VALUE \{((?:'[^']+': \?(?:, )?)+)\}$/.exec(text);
  if (match === null) return undefined;
  const [, table = '', fields = ''] = match;
  const names = [...fields.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  return { kind: 'insert', table, item: take(names, values) };
}

function readUpdate(text: string, values: AttributeValue[]): UpdateStatement | undefined {
  const match = UPDATE.exec(text);
  if (match === null) return undefined;
  const [, table = '', sets = '', removals = '', clauses = ''] = match;
  const names = (part: string) => [...part.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  const set = take(names(sets), values);
  const remove = names(removals);
  if (sets === '' && removals === '') return undefined;
  const key = take(['pk'], values);
  const condition = [...clauses.matchAll(new RegExp(CLAUSE, 'g'))].map(([, attribute = '', is, compares = '']) => {
    const value = is === undefined ? values.shift() : undefined;
    return { attribute, op: is ?? compares, ...(value === undefined ? {} : { value }) };
  });
  return { kind: 'update', table, key, set, remove, condition };
}

function take(names: readonly string[], values: AttributeValue[]): Item {
  const item: Item = {};
  for (const name of names) {
    const value = values.shift();
    if (value !== undefined) item[name] = value;
  }
  return item;
}
