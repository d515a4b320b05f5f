// `npm run docs`: writes the pages that are made of schemas, docs/api.md and docs/sensors. A test asks that they are fresh.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { apiPage } from './docs/api-page.ts';
import { readDocument } from './docs/document.ts';
import { sensorPages } from './docs/sensor-page.ts';

export const DOCS = resolve(import.meta.dirname, '..', 'docs');

/** @returns the pages, by their path below docs/. */
export async function pages(): Promise<ReadonlyMap<string, string>> {
  const document = readDocument();
  const sensors = await sensorPages(document);
  return new Map([
    ['api.md', apiPage(document)],
    ...[...sensors].map(([name, text]) => [`sensors/${name}`, text] as const),
  ]);
}

async function write(): Promise<void> {
  const made = await pages();
  for (const [path, text] of made) {
    mkdirSync(dirname(join(DOCS, path)), { recursive: true });
    writeFileSync(join(DOCS, path), text);
  }
  // The page of a sensor that there is no more.
  for (const name of readdirSync(join(DOCS, 'sensors'))) {
    if (!made.has(`sensors/${name}`)) rmSync(join(DOCS, 'sensors', name));
  }
}

if (import.meta.main) await write();
