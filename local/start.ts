// `npm start`: the service on the emulator, and a demo on its deployed API.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dirname, resolve } from 'node:path';
import { createClient, type SensoriumClient } from '../client/index.ts';
import { createClients } from './demo/clients.ts';
import { HELP, parseCommand } from './demo/command.ts';
import { play, setUp, type Stage } from './demo/demo.ts';
import { planDemo } from './demo/plan.ts';
import { describe, type Outcome, whereNext } from './demo/report.ts';
import { count } from './demo/text.ts';
import { IDENTITY } from './identity.ts';
import { Interrupted, interruptSignal } from './interrupt.ts';
import { type Service, STACK, startService } from './service.ts';

const startedAt = Date.now() - process.uptime() * 1_000;
const report = (line: string): void => console.error(`sensorium: ${line}`);

/** @returns the exit code. */
async function start(once: boolean, signal: AbortSignal): Promise<number> {
  const started: { remove(): Promise<void> }[] = [];
  // Steps of the demo fail and take their time by a script that only our own stand-in understands.
  const { AWS_ENDPOINT_URL_EMR: _, ...env } = process.env;
  const root = resolve(import.meta.dirname, '..');
  const service = await startService({ root, nodeDir: dirname(process.execPath), env, report, signal });
  try {
    const { ApiUrl: apiUrl = '', SubmitAndWaitArn: stateMachineArn = '' } = service.outputs;
    const stage: Stage = {
      ...service,
      api: apiOf(apiUrl, signal),
      clients: createClients(service.endpoint, service.emrEndpoint),
      stack: STACK,
      busName: service.outputs['BusName'] ?? '',
      screen: process.stderr,
      signal,
    };
    const plan = planDemo(randomBytes(3).toString('hex'));
    const scenery = await setUp(stage, plan, started);
    report(
      `the demo: submitting ${count(scenery.tasks.length)} tasks; the first tick of the schedule may take a minute`,
    );
    const outcome = judged(service, await play(stage, plan, scenery));
    const wrong = [...outcome.wrong, ...outcome.untold];
    for (const sentence of wrong) report(`WRONG ${sentence}`);
    console.log(`\n${describe(outcome, Date.now() - startedAt).join('\n')}\n`);
    console.log(`${whereNext({ apiUrl, stateMachineArn, ...service }, IDENTITY, plan, once).join('\n')}\n`);
    if (!once) await untilInterrupted(signal);
    return wrong.length === 0 ? 0 : 1;
  } catch (error) {
    // Whatever was interrupted says so in its own words.
    signal.throwIfAborted();
    throw error;
  } finally {
    for (const one of started.toReversed()) await one.remove().catch((error: unknown) => report(String(error)));
    await service.stop();
  }
}

/** @returns a client whose requests and pauses end with the demo. */
function apiOf(url: string, signal: AbortSignal): SensoriumClient {
  return createClient({
    ...IDENTITY,
    url,
    fetch: (to, init) =>
      fetch(to, { ...init, signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]) }),
    clock: { now: Date.now, sleep: (ms) => sleep(ms, undefined, { signal }) },
  });
}

/** Events that an emulator of the user's does not tell are its own fault, and a word is enough. */
function judged({ isOurs }: Service, outcome: Outcome): Outcome {
  const { untold, alerts } = outcome;
  if (isOurs || untold.length === 0) return outcome;
  report(`this emulator told of ${count(alerts.facts)} of ${count(alerts.expected)} facts; that is not judged here`);
  report('(MiniStack by itself writes no stream records for PartiQL; AWS does, and so does MiniStack as we start it)');
  return { ...outcome, untold: [] };
}

async function untilInterrupted(signal: AbortSignal): Promise<void> {
  report('the service goes on running; Ctrl-C stops it');
  while (!signal.aborted) await sleep(2 ** 30, undefined, { signal }).catch(() => undefined);
}

async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'help':
      console.log(HELP);
      return 0;
    case 'wrong':
      console.error(`sensorium: ${command.sentence}`);
      return 2;
    case 'run':
      try {
        return await start(command.once, interruptSignal(process));
      } finally {
        report('everything is stopped');
      }
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof Interrupted) {
    process.exitCode = error.exitCode;
  } else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
