/** The pages that people read, and the commands and links in them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

const GLOBS = ['*.md', 'docs/**/*.md', 'examples/**/*.md'];

/** What is written to the terminal: a block of `sh`. */
export interface Fence {
  readonly page: string;
  /** Of its first line. */
  readonly line: number;
  readonly script: string;
}

export interface Page {
  /** Its path from the root. */
  readonly name: string;
  readonly text: string;
}

/** @returns all pages, the changes of versions left out: they speak of what was. */
export function pages(): readonly Page[] {
  return globSync(GLOBS, { cwd: ROOT, exclude: (name) => name.includes('node_modules') || name === 'CHANGELOG.md' })
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));
}

/** @returns the blocks of a page that somebody would type, without their indentation. */
export function fencesOf({ name, text }: Page): readonly Fence[] {
  const found: Fence[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const indent = /^( *)```(?:sh|bash|shell|console)$/u.exec(lines[at] ?? '')?.[1];
    if (indent === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end < 0) throw new Error(`${name}:${at + 1}: the block does not end`);
    const script = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    found.push({ page: name, line: at + 2, script: script.join('\n') });
    at = end;
  }
  return found;
}

/** @returns the targets of a page's links, in words as they stand. */
export function linksOf({ text }: Page): readonly string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '').replaceAll(/`[^`\n]*`/gu, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target]) => target ?? '');
}

/** @returns the anchors that a page has, as GitHub makes them of headings. */
export function anchorsOf({ text }: Page): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
