// Proves that the layer rules of .oxlintrc.json bite: plants faults in a copy of the house, demands that the linter names
// each by its rule, and that it has nothing against the lines that are allowed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';

/** The file it is planted in (each its own), the line, and the rule that must name it; null where it is allowed. */
type Planted = readonly [file: string, code: string, rule: string | null];

const PLANTED: readonly Planted[] = [
  ['functions/core/a1.ts', `export * from '../store/keys.ts';`, 'house(imports)'],
  ['functions/core/a2.ts', `import { z } from 'zod'; export const a = z;`, 'house(imports)'],
  ['functions/core/a3.ts', `import { readFileSync } from 'node:fs'; export const a = readFileSync;`, 'house(imports)'],
  ['functions/core/a4.ts', `import type { Item } from '../store/table.ts'; export type A = Item;`, 'house(imports)'],
  ['functions/core/a5.ts', `export type A = import('../store/table.ts').Item;`, 'house(imports)'],
  ['functions/core/deep/a6.ts', `export { a } from '../../ports.ts';`, 'house(imports)'],
  ['functions/core/deep/a7.ts', `export { a } from '../a8.ts';`, null],
  ['functions/core/a8.ts', `import { createHash } from 'node:crypto'; export const a = createHash;`, null],
  ['functions/core/a9.ts', `export const a = setTimeout;`, 'eslint(no-restricted-globals)'],
  [
    'functions/core/a10.ts',
    `import { randomUUID } from 'node:crypto'; export const a = randomUUID;`,
    'eslint(no-restricted-imports)',
  ],

  ['functions/store/b1.ts', `export { a } from '../../lib/table.ts';`, 'house(imports)'],
  ['functions/store/b2.ts', `import { Stack } from 'aws-cdk-lib'; export const a = Stack;`, 'house(imports)'],
  ['functions/store/b3.ts', `export * from 'aws-cdk-lib/aws-lambda';`, 'house(imports)'],
  [
    'functions/store/b4.ts',
    `import type { Construct } from 'constructs'; export type A = Construct;`,
    'house(imports)',
  ],
  ['functions/store/b5.ts', `export { a } from '../../test/help.ts';`, 'house(imports)'],
  ['functions/store/b6.ts', `export { a } from '../../bin/app.ts';`, 'house(imports)'],
  ['functions/store/b7.ts', `export const a = await import('../../local/start.ts');`, 'house(imports)'],
  ['functions/store/b8.ts', `import { env } from 'node:process'; export const a = env;`, 'house(imports)'],
  [
    'functions/store/b9.ts',
    `export { a } from '../core/a8.ts'; export { UpdateItemCommand } from '@aws-sdk/client-dynamodb';`,
    null,
  ],

  [
    'functions/api/handler.ts',
    `export const a = [process.env, Date.now(), new Date(), Math.random(), new S3Client({})];`,
    null,
  ],
  [
    'functions/runtime/c1.ts',
    `export const a = [process.env, Date.now(), new Date(), Math.random(), new S3Client({})];`,
    null,
  ],
  ['functions/api/c2.ts', `export const a = new Date(0);`, null],
  ['functions/api/c3.ts', `export const a = new Date();`, 'house(clock)'],
  ['functions/api/c4.ts', `export const a = Date();`, 'house(clock)'],
  ['functions/api/c5.ts', `export const a = Date.now();`, 'eslint(no-restricted-properties)'],
  ['functions/api/c6.ts', `export const a = Math.random();`, 'eslint(no-restricted-properties)'],
  ['functions/api/c7.ts', `export const a = process.env['A'];`, 'eslint(no-restricted-properties)'],
  ['functions/settings.ts', `export const a = process.env;`, 'eslint(no-restricted-properties)'],
  ['functions/api/c8.ts', `const { env } = process; export const a = env;`, 'eslint(no-restricted-properties)'],
  ['functions/api/c9.ts', `export const a = new DynamoDBClient({});`, 'house(clients)'],
  ['functions/sensors/c10.ts', `export const a = new S3Client({});`, null],
  ['functions/api/c11.ts', `export const a = (b: unknown) => b as string;`, 'typescript(consistent-type-assertions)'],

  ['lib/d1.ts', `export { a } from '../functions/store/dynamo.ts';`, 'house(imports)'],
  ['lib/d2.ts', `export { a } from '../functions/core/a8.ts';`, 'house(imports)'],
  ['lib/d3.ts', `export { a } from '../test/help.ts';`, 'house(imports)'],
  ['lib/d4.ts', `export { a } from '../functions/settings.ts'; export { b } from '../functions/store/keys.ts';`, null],
  [
    'lib/d5.ts',
    `export { a } from '../functions/sensors/permissions.ts'; export { b } from '../functions/api/routes.ts';`,
    null,
  ],

  ['functions/sensors/g1.ts', `export const a = 'arn:aws:s3:::landing';`, 'house(partition)'],
  ['functions/sensors/g2.ts', 'export const a = (b: string) => `arn:aws-cn:s3:::${b}`;', 'house(partition)'],
  ['lib/g3.ts', `export const a = ['arn:aws:s3:::*'];`, 'house(partition)'],
  ['lib/g4.ts', `export const a = ['arn:*:s3:::*', 'such as arn:aws:s3:::landing/*'];`, null],

  ['client/f1.ts', `export { a } from '../functions/core/a8.ts';`, 'house(imports)'],
  ['client/f2.ts', `export { a } from '../cli/a.ts';`, 'house(imports)'],
  ['client/f3.ts', `export const a = Date.now();`, 'eslint(no-restricted-properties)'],
  ['client/f4.ts', `export const a = process.version;`, 'eslint(no-restricted-globals)'],
  ['client/f5.ts', `export { a } from '../functions/api/schemas/answers.ts';`, null],
  ['client/defaults.ts', `export const a = [Date.now(), Math.random()];`, null],

  ['local/e1.ts', `// long\n`.repeat(251), 'eslint(max-lines)'],
  ['local/e2.ts', `// long\n`.repeat(249), null],
  ['functions/router/handler.ts', `export const a = [\n${'  1,\n'.repeat(40)}];`, 'eslint(max-lines)'],
];

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

const root = resolve(import.meta.dirname, '..');
const house = mkdtempSync(join(tmpdir(), 'sensorium-planted-'));
try {
  for (const file of ['.oxlintrc.json', 'scripts/house-rules.ts', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, file), join(house, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'), 'dir');
  for (const [file, code] of PLANTED) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), `${code}\n`);
  }
  const { stdout } = spawnSync('oxlint', ['--format=json'], { cwd: house, encoding: 'utf8' });
  const report = JSON.parse(stdout) as Report;

  const layers = new Set(PLANTED.flatMap(([, , rule]) => rule ?? []));
  let wrong = 0;
  for (const [file, code, rule] of PLANTED) {
    const named = report.diagnostics.filter((one) => posix.normalize(one.filename) === file).map((one) => one.code);
    const right = rule === null ? !named.some((code) => layers.has(code)) : named.includes(rule);
    if (right) continue;
    wrong += 1;
    console.error(
      `${file}: expected ${rule ?? 'nothing'}, got ${named.join(', ') || 'nothing'}\n  ${code.slice(0, 120)}`,
    );
  }
  console.log(`${PLANTED.length - wrong} of ${PLANTED.length} planted lines judged rightly`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  rmSync(house, { recursive: true });
}
