// `npm run cfn-lint`: has cfn-lint look at the template, as each Region's CloudFormation takes it. The first run installs it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { SensoriumProps } from '../lib/props.ts';
import { Sensorium } from '../lib/sensorium.ts';
import { ensureCfnLint } from '../local/cfn-lint.ts';
import { leftOut } from '../local/left-out.ts';
import { run } from '../local/process.ts';
import { EmulatorUnavailable } from '../local/unavailable.ts';

/** Of every partition, and of the ordinary one the oldest, and some that get new things late. */
const REGIONS = ['us-east-1', 'eu-central-1', 'ap-northeast-1', 'cn-north-1', 'us-gov-west-1'];

/** The CDK says twice that a function waits for its role. */
const IGNORED = ['W3005'];

/** The package cannot be run by `-m`, and its script knows another folder: the one in which it was installed. */
const MAIN = 'from cfnlint.runner import main; main()';

const LINT_MS = 300_000;

const BUCKETS = Array.from({ length: 200 }, (_, each) => `arn:aws:s3:::team-${each}-landing-zone-production/in/*`);

const TEMPLATES: Readonly<Record<string, (stack: Stack) => SensoriumProps>> = {
  default: () => ({ allow: [] }),
  many: () => ({ allow: BUCKETS }),
  all: () => ({ allow: ['*'] }),
  everything: (stack) => ({
    allow: ['arn:aws:s3:::landing/*', 'arn:aws:elasticmapreduce:*:*:cluster/*'],
    allowCancel: true,
    alarmTopic: new Topic(stack, 'Topic'),
    emrEndpoint: 'http://127.0.0.1:4567',
    removalPolicy: RemovalPolicy.DESTROY,
    reservedConcurrency: { dispatcher: 1, shardWorker: 100 },
  }),
};

const root = resolve(import.meta.dirname, '..');
const { env } = process;

/** Writes the templates. @returns their paths */
function synthesize(outdir: string): readonly string[] {
  // Without bundling: the functions' code is not what is looked at.
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  for (const [name, props] of Object.entries(TEMPLATES)) {
    const stack = new Stack(app, name);
    new Sensorium(stack, 'Sensorium', props(stack));
  }
  return app.synth().stacks.map(({ templateFullPath }) => templateFullPath);
}

/** @returns whether all templates pass, or cfn-lint cannot be had and that is good enough. */
async function lint(): Promise<boolean> {
  const report = (line: string): void => console.error(`sensorium: ${line}`);
  const folder = await mkdtemp(join(tmpdir(), 'sensorium-templates-'));
  try {
    const python = await ensureCfnLint({ stateDir: join(root, '.sensorium'), env, report });
    const paths = synthesize(folder);
    const args = ['-c', MAIN, '--regions', ...REGIONS, '--ignore-checks', ...IGNORED, '--', ...paths];
    const { code, ending } = await run(python, args, { cwd: folder, env, timeoutMs: LINT_MS });
    if (ending === 'timed out') report(`cfn-lint did not end within ${LINT_MS / 1_000} s`);
    if (code === 0) console.log(`${paths.length} templates pass in ${REGIONS.join(', ')}`);
    return code === 0;
  } catch (error) {
    if (error instanceof EmulatorUnavailable)
      return leftOut('the template, by cfn-lint.', error, { env, line: console.error });
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

process.exitCode = (await lint()) ? 0 : 1;
