// `npm run build`: dist/, what is published. `tsx scripts/build.ts cli` makes the command line alone, which bin/sensorium.mjs
// asks for in a clone whose sources are newer.
//
//   dist/client/index.js           the typed client: one file that needs nothing else
//   dist/cli/main.js               the command line, in chunks that are loaded when they are needed
//   dist/lib/sensorium.js          the CDK construct; only the CDK is not in it
//   dist/functions/<name>/index.js the functions, bundled as a deploy from the sources bundles them
//   dist/types/                    declarations
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { bundleFunction } from '../lib/bundling.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** The oldest Node that runs what is published. */
const MODULE = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  minify: true,
  keepNames: true,
  logLevel: 'warning',
  absWorkingDir: root,
} as const satisfies BuildOptions;

/**
 * Writes what esbuild made, entries last and each file at once: whoever starts the command line meanwhile finds the old
 * one or the new one, never half of either.
 */
async function write(options: BuildOptions): Promise<string[]> {
  const { outputFiles } = await build({ ...options, write: false });
  for (const { path, contents } of outputFiles.toSorted((a, b) => order(a.path) - order(b.path))) {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  return outputFiles.map(({ path }) => path);
}

function order(path: string): number {
  return basename(path).startsWith('chunk-') ? 0 : 1;
}

async function buildCli(): Promise<string[]> {
  return write({
    ...MODULE,
    entryPoints: ['cli/main.ts'],
    outdir: join(dist, 'cli'),
    chunkNames: 'chunk-[name]-[hash]',
    splitting: true,
    // Packages that are CommonJS ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

async function buildClient(): Promise<string[]> {
  return write({ ...MODULE, entryPoints: ['client/index.ts'], outfile: join(dist, 'client', 'index.js') });
}

async function buildConstruct(): Promise<string[]> {
  const external = ['aws-cdk-lib', 'constructs'];
  const written = await write({
    ...MODULE,
    entryPoints: ['lib/sensorium.ts'],
    outfile: join(dist, 'lib', 'sensorium.js'),
    external,
    minify: false,
  });
  const folders = readdirSync(join(root, 'functions')).filter((name) =>
    existsSync(join(root, 'functions', name, 'handler.ts')),
  );
  for (const name of folders) {
    const entry = join(root, 'functions', name, 'handler.ts');
    written.push(...bundleFunction(entry, join(dist, 'functions', name)));
  }
  return written;
}

function buildTypes(): void {
  const tsc = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the declarations could not be made');
}

/** What an earlier build left. Only now: until then whoever starts the command line finds the old one whole. */
function prune(folders: readonly string[], written: ReadonlySet<string>): void {
  for (const folder of folders) {
    const names = readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' });
    const files = names.map((name) => join(dist, folder, name)).filter((path) => statSync(path).isFile());
    for (const path of files) if (!written.has(path)) rmSync(path);
  }
}

if (process.argv[2] === 'cli') {
  await buildCli();
} else {
  const written = await Promise.all([buildCli(), buildClient(), buildConstruct()]);
  prune(['cli', 'client', 'lib', 'functions'], new Set(written.flat()));
  rmSync(join(dist, 'types'), { recursive: true, force: true });
  buildTypes();
  // Says when all of it was there (scripts/prepare.mjs).
  writeFileSync(join(dist, 'built'), '');
}
