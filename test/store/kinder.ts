import type { CallRefusal } from './calls-contract.ts';
import type { Refusal } from './table-refusals-contract.ts';

/** What an implementation takes though DynamoDB refuses it, and why. Memory is excused from nothing. */
export type Kindness = Partial<Record<Refusal | CallRefusal, string>>;

const CHARACTERS = 'it counts characters of UTF-16, not bytes of UTF-8';
const NO_INDEX_KEYS = 'of the keys of an index it looks at the type alone';
const NO_PARTIQL = 'what a PartiQL statement brings is not looked at';
const NO_NESTING = 'it does not count levels';

export const KINDER = {
  dynalite: {
    'lists within each other, 33 deep': NO_NESTING,
    'more than 400 kB in characters of three bytes': CHARACTERS,
    'a key of more than 2,048 bytes in fewer characters': CHARACTERS,
    'an index partition that is empty': NO_INDEX_KEYS,
    'an index partition of 2,049 bytes': NO_INDEX_KEYS,
    'a query of an empty partition': NO_INDEX_KEYS,
    'a count of an empty partition': NO_INDEX_KEYS,
  },
  ministack: {
    'one attribute changed twice': 'it does not look for paths that overlap',
    'a key of 2,049 bytes to insert': NO_PARTIQL,
    'an index partition that is a number': NO_PARTIQL,
    'an index sort that is a text': NO_PARTIQL,
    'an index partition that is empty': NO_PARTIQL,
    'an index partition of 2,049 bytes': NO_PARTIQL,
    'a statement with a number that is too small': NO_PARTIQL,
    'two statements for one key': 'it runs them one after the other',
    'a statement that removes what is not there': 'it does nothing; what AWS does is not documented',
  },
} satisfies Record<string, Kindness>;
