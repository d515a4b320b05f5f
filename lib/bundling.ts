/** How functions are bundled: by the CDK from the sources, by `npm run build` for the package, and by the benches. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import type * as Esbuild from 'esbuild';

/**
 * Ways of the SDK to come by credentials that it loads when the environment has none. On Lambda the environment always
 * has them; left out of the bundles, these are a third of the API's.
 */
const UNUSED_CREDENTIALS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** `module` first halves a bundle. */
const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  external: UNUSED_CREDENTIALS,
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies Esbuild.BuildOptions;

/**
 * Bundles an ES module to CommonJS: `index.js`, and beside it one file for each part that is loaded on first use. esbuild
 * splits ES modules alone, so its files become CommonJS, which Node loads faster, one by one. In one file a part would
 * be compiled by each cold start, which is half of what it takes to load it.
 * @param folder where the files go; it is made. @returns their paths
 */
export function bundleFunction(entry: string, folder: string): string[] {
  // Not an import: whoever has the published package needs no esbuild, its functions are bundled.
  const { buildSync, transformSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  const { outputFiles, metafile } = buildSync({ ...OPTIONS, entryPoints: { index: entry }, outdir: folder });
  const used = reachable(metafile, 'index.js');
  mkdirSync(folder, { recursive: true });
  return outputFiles.flatMap(({ path, text }) => {
    const name = basename(path);
    if (!used.has(name)) return [];
    const { code } = transformSync(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node24',
      minify: true,
      // What lies beside the code is found in either form.
      define: { 'import.meta.dirname': '__dirname' },
      // `require` takes half the time of Node's own `import()` of CommonJS.
      supported: { 'dynamic-import': false },
    });
    const written = join(resolve(folder), name);
    writeFileSync(written, code);
    return [written];
  });
}

/** esbuild also writes what only code imports that it has dropped. @returns the names of the files that one needs. */
function reachable({ outputs }: Esbuild.Metafile, entry: string): ReadonlySet<string> {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.imports]));
  const found = new Set([entry]);
  // A set goes on to what is added while it is gone through.
  for (const name of found) {
    for (const { path, external } of imports.get(name) ?? []) if (external !== true) found.add(basename(path));
  }
  return found;
}
