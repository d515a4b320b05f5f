import { describe, expect, test } from '@jest/globals';
import type { Clause, Condition } from '../../functions/store/table.ts';
import type { TableSetup } from './table-setup.ts';

/** How every Table judges conditions, in each of its writes. */
export function tableConditionsContract({ fresh, put }: TableSetup): void {
  describe('conditions', () => {
    const item = { n: 5, text: 'm', yes: true };
    const cases: readonly [string, Condition, boolean][] = [
      ['=', [{ attr: 'n', op: '=', value: 5 }], true],
      ['= of another value', [{ attr: 'n', op: '=', value: 6 }], false],
      ['= of another type', [{ attr: 'n', op: '=', value: '5' }], false],
      ['= of a text', [{ attr: 'text', op: '=', value: 'm' }], true],
      ['= of a boolean', [{ attr: 'yes', op: '=', value: true }], true],
      ['<>', [{ attr: 'n', op: '<>', value: 6 }], true],
      ['<> of the value', [{ attr: 'n', op: '<>', value: 5 }], false],
      ['<', [{ attr: 'n', op: '<', value: 6 }], true],
      ['< of the value', [{ attr: 'n', op: '<', value: 5 }], false],
      ['<=', [{ attr: 'n', op: '<=', value: 5 }], true],
      ['<= of less', [{ attr: 'n', op: '<=', value: 4 }], false],
      ['>', [{ attr: 'n', op: '>', value: 4 }], true],
      ['> of the value', [{ attr: 'n', op: '>', value: 5 }], false],
      ['>=', [{ attr: 'n', op: '>=', value: 5 }], true],
      ['>= of more', [{ attr: 'n', op: '>=', value: 6 }], false],
      ['> of another type', [{ attr: 'text', op: '>', value: 1 }], false],
      ['order of texts', [{ attr: 'text', op: '>', value: 'lima' }], true],
      ['exists', [{ attr: 'n', op: 'exists' }], true],
      ['exists, missing', [{ attr: 'x', op: 'exists' }], false],
      ['missing', [{ attr: 'x', op: 'missing' }], true],
      ['missing, there', [{ attr: 'n', op: 'missing' }], false],
      ...(['=', '<>', '<', '<=', '>', '>='] as const).map((op): [string, Condition, boolean] => [
        `${op} with a missing attribute`,
        [{ attr: 'x', op, value: 1 }],
        false,
      ]),
      [
        'all hold',
        [
          { attr: 'n', op: '=', value: 5 },
          { attr: 'yes', op: '=', value: true },
        ],
        true,
      ],
      [
        'not all hold',
        [
          { attr: 'n', op: '=', value: 5 },
          { attr: 'yes', op: '=', value: false },
        ],
        false,
      ],
    ];
    const only: readonly [string, Condition, boolean][] = [
      ['none', [], true],
      [
        'any',
        [
          {
            any: [
              { attr: 'x', op: 'missing' },
              { attr: 'x', op: '<', value: 3 },
            ],
          },
        ],
        true,
      ],
      [
        'any, second',
        [
          {
            any: [
              { attr: 'n', op: 'missing' },
              { attr: 'n', op: '<', value: 6 },
            ],
          },
        ],
        true,
      ],
      [
        'any, none',
        [
          {
            any: [
              { attr: 'n', op: 'missing' },
              { attr: 'n', op: '<', value: 5 },
            ],
          },
        ],
        false,
      ],
      ['any and more', [{ any: [{ attr: 'x', op: 'missing' }] }, { attr: 'n', op: '=', value: 6 }], false],
    ];

    test.each([...cases, ...only])('update: %s', async (_, condition, holds) => {
      const { table, key } = fresh();
      await put(table, { pk: key, ...item });
      const { done } = await table.update({ key, change: { set: { w: 1 } }, condition });
      expect(done).toBe(holds);
    });

    test('updateMany and delete judge by the same rules', async () => {
      const { table, tag } = fresh();
      const keys = cases.map((_, n) => `TASK#${tag}-${n}`);
      await table.insertMany(keys.map((pk) => ({ pk, ...item })));
      const clauses = cases.map(([, condition]) => condition.filter((part): part is Clause => !('any' in part)));
      const answers = await table.updateMany(
        keys.map((key, n) => ({ key, change: { set: { w: 1 } }, condition: clauses[n] ?? [] })),
      );
      expect(answers.map((answer) => 'done' in answer && answer.done)).toEqual(cases.map(([, , holds]) => holds));
      const deletes = await Promise.all(keys.map((key, n) => table.delete(key, clauses[n] ?? [])));
      expect(deletes.map(({ done }) => done)).toEqual(cases.map(([, , holds]) => holds));
    });
  });
}
