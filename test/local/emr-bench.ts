import {
  AddJobFlowStepsCommand,
  DescribeStepCommand,
  EMRClient,
  EMRServiceException,
  RunJobFlowCommand,
  type StepStatus,
} from '@aws-sdk/client-emr';
import { startEmrStandIn, type StandIn } from '../../local/emr-standin/server.ts';
import type { Limit } from '../../local/emr-standin/token-bucket.ts';

export const START = Date.UTC(2026, 10, 30);

/** The stand-in on a clock of the test's, and the SDK's own client for it. */
export class EmrBench {
  readonly emr: EMRClient;
  readonly #standIn: StandIn;
  readonly #time: { now: number };

  private constructor(standIn: StandIn, time: { now: number }) {
    this.#standIn = standIn;
    this.#time = time;
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.emr = new EMRClient({ endpoint: standIn.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  }

  static async start(limits: Readonly<Record<string, Limit>> = {}): Promise<EmrBench> {
    const time = { now: START };
    return new EmrBench(await startEmrStandIn({ now: () => time.now, limits }), time);
  }

  /** Epoch ms. */
  get now(): number {
    return this.#time.now;
  }

  set now(instant: number) {
    this.#time.now = instant;
  }

  async stop(): Promise<void> {
    this.emr.destroy();
    await this.#standIn.stop();
  }

  async cluster(keepAlive = true): Promise<string> {
    const Instances = { KeepJobFlowAliveWhenNoSteps: keepAlive };
    const { JobFlowId } = await this.emr.send(new RunJobFlowCommand({ Name: 'night', Instances }));
    return JobFlowId!;
  }

  async addSteps(JobFlowId: string, count: number, ...args: string[]): Promise<string[]> {
    const Steps = Array.from({ length: count }, (_, index) => ({
      Name: `step ${index}`,
      HadoopJarStep: { Jar: 'command-runner.jar', Args: ['spark-submit', ...args] },
    }));
    return (await this.emr.send(new AddJobFlowStepsCommand({ JobFlowId, Steps }))).StepIds!;
  }

  async status(ClusterId: string, StepId: string | undefined): Promise<StepStatus> {
    return (await this.emr.send(new DescribeStepCommand({ ClusterId, StepId }))).Step!.Status!;
  }

  /** Any request beside the API, or one that the SDK would not send. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#standIn.url}${path}`, init);
  }

  async script(body: object): Promise<void> {
    const answer = await this.fetch('/_standin/script', { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

/** The error that a call is expected to end with. */
export async function errorOf(call: Promise<unknown>): Promise<EMRServiceException> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof EMRServiceException) return outcome;
  throw new Error('expected an error of the service', { cause: outcome });
}
