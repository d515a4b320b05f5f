/**
 * The table as the store needs it: a narrow port over DynamoDB with two implementations (DynamoDB itself and memory)
 * and one contract suite. The store's logic stands once, above it, and so runs unchanged in the simulator.
 */

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

export interface Item {
  readonly pk: string;
  readonly [attribute: string]: Value;
}

/** One comparison on one top-level attribute. A comparison with a missing attribute is false. */
export type Clause =
  | { readonly attr: string; readonly op: '=' | '<>'; readonly value: string | number | boolean }
  | { readonly attr: string; readonly op: '<' | '<=' | '>' | '>='; readonly value: string | number }
  | { readonly attr: string; readonly op: 'exists' | 'missing' };

/** All must hold; `any` holds when one of its clauses does. */
export type Condition = readonly (Clause | { readonly any: readonly Clause[] })[];

export interface Change {
  readonly set?: Readonly<Record<string, Value>>;
  /** Set only where the attribute is missing. */
  readonly setIfMissing?: Readonly<Record<string, Value>>;
  /** Add to a number; missing counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

export interface Update {
  readonly key: string;
  readonly change: Change;
  /** Without one the update creates the item where it is missing. */
  readonly condition?: Condition;
}

/**
 * What one of many updates can do: no more than a PartiQL statement (no alternatives), and it never creates an item. It
 * sets or removes something, and removes only what is there: what PartiQL does with a missing attribute is not documented.
 */
export interface BatchUpdate {
  readonly key: string;
  readonly change: Pick<Change, 'set' | 'remove'>;
  readonly condition: readonly Clause[];
}

/**
 * `done`: written; `item` is the item after it (update) or missing (updateMany).
 * not `done`: the condition failed and nothing changed; `item` is the item as it stands, missing if there is none.
 */
export type WriteAnswer =
  | { readonly done: true; readonly item?: Item }
  | { readonly done: false; readonly item?: Item };

export interface Query {
  readonly index: IndexName;
  readonly partition: string;
  /** Inclusive bounds of the sort key. */
  readonly from?: number;
  readonly to?: number;
  /** Items a page; a page may hold fewer and still have a `next`. */
  readonly limit?: number;
  /** Newest (largest sort key) first. */
  readonly descending?: boolean;
  /** The opaque place to go on from: the `next` of the page before. */
  readonly next?: PageKey;
  /** Only items without any of these attributes are returned (and counted). */
  readonly without?: readonly string[];
  /** Only items with this attribute are returned (and counted). */
  readonly only?: string;
}

export type PageKey = Readonly<Record<string, string | number>>;

export interface Page {
  readonly items: readonly Item[];
  readonly next?: PageKey;
}

export type IndexName = 'hashcode-index' | 'shardcode-index' | 'state-index';

/**
 * Every method rejects with a TableError after the client's own retries, and at once where DynamoDB refuses what is asked
 * for (storable.ts has its limits). A rejected write may have been applied.
 */
export interface Table {
  /** Strongly consistent read. */
  get(key: string): Promise<Item | undefined>;
  /** Strongly consistent reads of any number of keys, in no order; missing ones are left out. */
  getMany(keys: readonly string[]): Promise<readonly Item[]>;
  /** One conditional update. Answers with the new item, or with the one that stands. */
  update(update: Update): Promise<WriteAnswer>;
  /** Any number of conditional updates, 25 a call, each with its own answer, in order. */
  updateMany(updates: readonly BatchUpdate[]): Promise<readonly (WriteAnswer | TableError)[]>;
  /** Any number of inserts, 25 a call; not done where the key exists, `item` is then the one that stands. */
  insertMany(items: readonly Item[]): Promise<readonly (WriteAnswer | TableError)[]>;
  /** One conditional delete. Done also when the item is gone already. */
  delete(key: string, condition: Condition): Promise<WriteAnswer>;
  /** Eventually consistent read of an index: a hint that may lag. */
  query(query: Query): Promise<Page>;
  /** How many items a query would return, over all of its pages. */
  count(query: Omit<Query, 'limit' | 'next' | 'descending'>): Promise<number>;
}

/** The table did not do it, or did and could not say so. */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly throttled: boolean;
  constructor(message: string, options: { cause?: unknown; throttled?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.throttled = options.throttled ?? false;
  }
}
