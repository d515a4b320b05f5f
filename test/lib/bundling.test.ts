import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundleFunction } from '../../lib/bundling.ts';

const SOURCES = {
  'shared.ts': `export const shared = 'of both';`,
  'lazy.ts': `import { shared } from './shared.ts'; export const lazy = () => 'loaded late, ' + shared;`,
  'dropped.ts': `export const dropped = 'by nobody';`,
  'handler.ts': `import { shared } from './shared.ts';
    export const unused = async () => await import('./dropped.ts');
    export const handler = async () => [shared, (await import('./lazy.ts')).lazy()];`,
  'entry.ts': `export { handler } from './handler.ts';`,
};

const folder = mkdtempSync(join(tmpdir(), 'sensorium-bundling-'));
const bundle = join(folder, 'bundle');

let written: string[] = [];

beforeAll(() => {
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, name), text);
  written = bundleFunction(join(folder, 'entry.ts'), bundle);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundle of a function', () => {
  test('has what is loaded on first use in files of its own', async () => {
    expect(readFileSync(join(bundle, 'index.js'), 'utf8')).not.toContain('loaded late');
    const { handler } = createRequire(import.meta.url)(join(bundle, 'index.js')) as {
      readonly handler: () => Promise<string[]>;
    };
    expect(await handler()).toEqual(['of both', 'loaded late, of both']);
  });

  test('has no file that nothing loads', () => {
    expect(readdirSync(bundle).toSorted()).toEqual(written.map((path) => path.slice(bundle.length + 1)).toSorted());
    expect(written.map((path) => readFileSync(path, 'utf8')).join('')).not.toContain('by nobody');
  });
});
