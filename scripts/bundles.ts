// `tsx scripts/bundles.ts`: bundles every function as a deploy does, prints the bytes of each, and fails when one is over
// its budget (DESIGN, section 10). A cold start pays for each byte.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { LambdaFunction } from '../lib/lambda-function.ts';
import { SensoriumStack } from '../lib/stack.ts';

/** Bytes, by the folder of the handler. */
const BUDGETS: Readonly<Record<string, number>> = { api: 450_000, 'shard-worker': 600_000 };

interface Resource {
  readonly Properties: { readonly Code: { readonly S3Key: string } };
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** @returns the bytes of each handler's bundle, from the assets of a synthesised app. */
function bundleSizes(outdir: string): ReadonlyMap<string, number> {
  const app = new App({ outdir });
  const stack = new SensoriumStack(app, 'Sensorium', { allow: [] });
  const assembly = app.synth();
  const { Resources } = assembly.getStackByName(stack.stackName).template as {
    readonly Resources: Readonly<Record<string, Resource>>;
  };
  return new Map(
    stack.node.findAll().flatMap((construct) => {
      if (!(construct instanceof LambdaFunction)) return [];
      const { Ref } = stack.resolve(construct.resource.functionName) as { readonly Ref: string };
      const [hash] = (Resources[Ref]?.Properties.Code.S3Key ?? '').split('.');
      return [[construct.handler, bytesIn(join(outdir, `asset.${hash}`))]];
    }),
  );
}

const outdir = mkdtempSync(join(tmpdir(), 'sensorium-bundles-'));
try {
  let over = 0;
  for (const [handler, bytes] of bundleSizes(outdir)) {
    const budget = BUDGETS[handler];
    if (budget !== undefined && bytes > budget) over += 1;
    const verdict = budget === undefined ? '' : ` of ${budget}${bytes > budget ? ', OVER' : ''}`;
    console.log(`${handler.padEnd(13)} ${bytes}${verdict}`);
  }
  process.exitCode = over === 0 ? 0 : 1;
} finally {
  rmSync(outdir, { recursive: true });
}
