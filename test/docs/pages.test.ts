import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { readContext } from '../../lib/context.ts';
import { anchorsOf, fencesOf, linksOf, pages, ROOT } from './pages.ts';

const all = pages();
const fences = all.flatMap(fencesOf);
const named = fences.map((fence) => [`${fence.page}:${fence.line}`, fence.script] as const);

/** All commands of a kind, comments left out; `--app` is the app of an example. */
function commands(program: RegExp): readonly (readonly [string, string])[] {
  return named.flatMap(([where, script]) =>
    script
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/ #.*$/u, '').trim())
      .filter((line) => program.test(line) && !line.includes('--app '))
      .map((line) => [where, line] as const),
  );
}

test('there are pages with commands', () => {
  expect(fences.length).toBeGreaterThan(5);
});

describe('commands', () => {
  test.each(named)('%s is a script that the shell can read', (_, script) => {
    expect(spawnSync('bash', ['-n', '-c', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  const scripts = new Set(Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts));
  const inProse = all.flatMap(({ name, text }) =>
    [...text.matchAll(/npm run (?:--silent |-s )?([\w:-]+)/gu)].map(([, script]) => [name, script ?? ''] as const),
  );
  test.each(inProse)('%s: npm run %s is a script of package.json', (_, script) => {
    expect(scripts).toContain(script);
  });

  test.each(commands(/^npx cdk (?:deploy|diff|destroy|synth)/u))('%s: %s has context that the app takes', (_, line) => {
    const words = line.replaceAll("'", '').split(' ').slice(3);
    const { values } = parseArgs({ args: words, options: { context: { type: 'string', short: 'c', multiple: true } } });
    const context = new Map((values.context ?? []).map((one) => one.split('=', 2) as [string, string]));
    const asked = new Set<string>();
    readContext((key) => {
      asked.add(key);
      return context.get(key);
    });
    expect([...asked]).toEqual(expect.arrayContaining([...context.keys()]));
  });
});

describe('links', () => {
  const relative = all.flatMap((page) =>
    linksOf(page).flatMap((link) => (/^[a-z]+:/u.test(link) ? [] : [[page.name, link] as const])),
  );
  test.each(relative)('%s: %s is there', (page, link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    expect(existsSync(join(ROOT, target))).toBe(true);
    const headings = all.filter(({ name }) => name === target).flatMap(anchorsOf);
    expect(anchor === undefined ? [] : [anchor]).toEqual(headings.filter((heading) => heading === anchor).slice(0, 1));
  });
});
