// `npm run package`: proves the package as others will have it. Packs it, installs it into an empty CDK app (without the
// network: the CDK is linked from here), and there compiles against its declarations, synthesizes a stack, uses the client
// and starts the command line.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { App } from 'aws-cdk-lib';
import { SensoriumStack } from '../lib/stack.ts';

const root = resolve(import.meta.dirname, '..');

/** What somebody writes who has installed the package. */
const APP = `
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Sensorium, type SensoriumProps } from 'sensorium';

const props: SensoriumProps = { allow: ['arn:aws:s3:::landing/*'], settings: { tick_seconds: 60 } };
// @ts-expect-error: a setting that there is not
export const wrong: SensoriumProps = { allow: [], settings: { tick: 1 } };

const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Sensorium', { description: 'Sensorium: waits for thousands of conditions at once' });
const service = new Sensorium(stack, 'Sensorium', props);
new CfnOutput(stack, 'ApiUrl', { value: service.api.resource.url });
app.synth();
`;

const CLIENT = `
import { createClient, SensoriumError, type Task } from 'sensorium/client';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const url = 'https://abc123.execute-api.eu-west-1.amazonaws.com/live/';
const client = createClient({
  url,
  credentials,
  fetch: async (to, { headers }) => {
    const { authorization } = headers as Record<string, string>;
    if (to !== url + 'v1/tasks/a') throw new Error(to);
    if (!authorization?.includes('/eu-west-1/execute-api/aws4_request')) throw new Error('not signed: ' + authorization);
    return new Response('{"title":"Not Found","status":404,"detail":"there is none"}', { status: 404 });
  },
});
// @ts-expect-error: a sensor that there is not
export const wrong = () => client.submit({ sensor: { type: 's4_key' } });
export const right = (task: Task): 'sensing' | undefined => (task.state === 'sensing' ? task.state : undefined);

const refused: unknown = await client.get('a').catch((error: unknown) => error);
if (!(refused instanceof SensoriumError) || refused.status !== 404) throw refused;
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  },
  files: ['app.ts', 'client.ts'],
};

let before = performance.now();

function say(line: string): void {
  const now = performance.now();
  console.log(`${line} (${((now - before) / 1000).toFixed(1)} s)`);
  before = now;
}

/** Runs a program. @throws Error with all that it said, where it fails */
function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 180_000 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    console.error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    throw error;
  }
}

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: Record<string, unknown> }>>;

/** The resources of a template; where the code of a function lies is another matter. */
function resourcesOf(template: unknown): Resources {
  const { Resources: resources } = template as { readonly Resources: Resources };
  return JSON.parse(
    JSON.stringify(resources, (name, value: unknown) => (name === 'Code' || name === 'Metadata' ? name : value)),
  ) as Resources;
}

/** The same service as the sources make. */
function fromSources(outdir: string): Resources {
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new SensoriumStack(app, 'Sensorium', {
    allow: ['arn:aws:s3:::landing/*'],
    settings: { tick_seconds: 60 },
  });
  return resourcesOf(app.synth().getStackByName(stack.stackName).template);
}

const folder = mkdtempSync(join(tmpdir(), 'sensorium-package-'));
try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root)) as {
    readonly filename: string;
    readonly size: number;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  say(`packed      ${packed.files.length} files, ${packed.size} bytes`);

  const home = join(folder, 'app');
  mkdirSync(home);
  const dependencies = { sensorium: `file:../${packed.filename}` };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--omit=peer'], home);
  const brought = readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'));
  say(`installed   ${brought.join(', ')}`);
  for (const name of ['aws-cdk-lib', 'constructs']) {
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name), 'dir');
  }

  writeFileSync(join(home, 'app.ts'), APP);
  writeFileSync(join(home, 'client.ts'), CLIENT);
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')], home);
  say('compiled    against its declarations');

  run(process.execPath, ['app.js'], home);
  const template: unknown = JSON.parse(readFileSync(join(home, 'cdk.out', 'Sensorium.template.json'), 'utf8'));
  const [theirs, ours] = [resourcesOf(template), fromSources(join(folder, 'ours'))];
  const other = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].filter(
    (id) => !isDeepStrictEqual(theirs[id], ours[id]),
  );
  if (other.length > 0) throw new Error(`other than from the sources: ${other.join(', ')}`);
  const functions = Object.values(theirs).filter(({ Type }) => Type === 'AWS::Lambda::Function').length;
  say(`synthesized ${Object.keys(theirs).length} resources, ${functions} functions, as from the sources`);

  run(process.execPath, ['client.js'], home);
  say('client      signs, asks, and reads a refusal');
  const version = run(join(home, 'node_modules', '.bin', 'sensorium'), ['--version'], home).trim();
  say(`sensorium   ${version}`);
} finally {
  rmSync(folder, { recursive: true });
}
