import {
  DescribeStepCommand,
  InternalServerException,
  InvalidRequestException,
  ListStepsCommand,
  type EMRServiceException,
} from '@aws-sdk/client-emr';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AWS_LIMITS } from '../../local/emr-standin/token-bucket.ts';
import { EmrBench, errorOf, START } from './emr-bench.ts';

let bench: EmrBench;

beforeEach(async () => {
  bench = await EmrBench.start();
});

afterEach(async () => {
  await bench.stop();
});

describe('ListSteps', () => {
  test('gives pages of 50, newest first', async () => {
    const id = await bench.cluster();
    const ids = await bench.addSteps(id, 120);
    const seen: string[] = [];
    let Marker: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await bench.emr.send(new ListStepsCommand({ ClusterId: id, Marker }));
      seen.push(...page.Steps!.map((step) => step.Id!));
      sizes.push(page.Steps!.length);
      ({ Marker } = page);
    } while (Marker !== undefined);
    expect(sizes).toEqual([50, 50, 20]);
    expect(seen).toEqual(ids.toReversed());
  });

  test('filters by state', async () => {
    const id = await bench.cluster();
    await bench.addSteps(id, 60, '--standin-running=1');
    const slow = await bench.addSteps(id, 3, '--standin-running=100');
    bench.now = START + 10_000;
    const active = await bench.emr.send(new ListStepsCommand({ ClusterId: id, StepStates: ['PENDING', 'RUNNING'] }));
    expect(active.Steps!.map((step) => step.Id)).toEqual(slow.toReversed());
    expect(active.Marker).toBeUndefined();
  });

  test('answers up to ten ids in their order', async () => {
    const id = await bench.cluster();
    const ids = await bench.addSteps(id, 12);
    const ten = ids.slice(0, 10);
    const { Steps } = await bench.emr.send(new ListStepsCommand({ ClusterId: id, StepIds: ten }));
    expect(Steps!.map((step) => step.Id)).toEqual(ten);
    const error = await errorOf(bench.emr.send(new ListStepsCommand({ ClusterId: id, StepIds: ids.slice(0, 11) })));
    expect(error).toBeInstanceOf(InvalidRequestException);
  });

  test('refuses the whole call for one id that does not exist', async () => {
    const id = await bench.cluster();
    const [step] = await bench.addSteps(id, 1);
    const error = await errorOf(bench.emr.send(new ListStepsCommand({ ClusterId: id, StepIds: [step!, 's-NONE'] })));
    expect(error).toBeInstanceOf(InvalidRequestException);
    expect(error.message).toBe("Step id 's-NONE' is not valid.");
  });
});

describe('on demand', () => {
  test('an operation is throttled as AWS does it, and refills with the time', async () => {
    const limited = await EmrBench.start(AWS_LIMITS);
    const list = () => errorOf(limited.emr.send(new ListStepsCommand({ ClusterId: 'j-NONE' })));

    const burst: EMRServiceException[] = [];
    for (let call = 0; call < 11; call += 1) burst.push(await list());
    expect(burst.map((error) => error.name)).toEqual([
      ...Array<string>(10).fill('InvalidRequestException'),
      'ThrottlingException',
    ]);
    expect(burst[10]).toMatchObject({ message: 'Rate exceeded', $metadata: { httpStatusCode: 400 } });
    // Another operation has a bucket of its own.
    const other = new DescribeStepCommand({ ClusterId: 'j-NONE', StepId: 's-NONE' });
    expect((await errorOf(limited.emr.send(other))).name).toBe('InvalidRequestException');

    limited.now += 1_999;
    expect((await list()).name).toBe('ThrottlingException');
    limited.now += 1;
    expect((await list()).name).toBe('InvalidRequestException');
    await limited.stop();
  });

  test('a limit is set and lifted by a script', async () => {
    const id = await bench.cluster();
    const list = () => bench.emr.send(new ListStepsCommand({ ClusterId: id }));
    await bench.script({ limits: { ListSteps: { per_second: 0, burst: 1 } } });
    await list();
    expect((await errorOf(list())).name).toBe('ThrottlingException');
    await bench.script({ limits: { ListSteps: null } });
    await list();
  });

  test('the next calls fail as a script says', async () => {
    const id = await bench.cluster();
    const list = () => bench.emr.send(new ListStepsCommand({ ClusterId: id }));
    await bench.script({ faults: [{ operation: 'ListSteps', times: 2 }] });
    expect(await errorOf(list())).toBeInstanceOf(InternalServerException);
    expect((await errorOf(list())).$metadata.httpStatusCode).toBe(500);
    await list();
    await bench.script({
      faults: [{ operation: 'ListSteps', type: 'AccessDeniedException', message: 'not you', status: 400 }],
    });
    expect(await errorOf(list())).toMatchObject({ name: 'AccessDeniedException', message: 'not you' });
  });

  test('a script that makes no sense is refused with the field named', async () => {
    const body = JSON.stringify({ limits: { ListSteps: { per_second: -1, burst: 1 } } });
    const answer = await bench.fetch('/_standin/script', { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('limits.ListSteps.per_second');
  });

  test('calls are counted by operation', async () => {
    const id = await bench.cluster();
    await bench.script({ limits: { ListSteps: { per_second: 0, burst: 2 } } });
    await bench.emr.send(new ListStepsCommand({ ClusterId: id }));
    await errorOf(bench.emr.send(new ListStepsCommand({ ClusterId: 'j-NONE' })));
    await errorOf(bench.emr.send(new ListStepsCommand({ ClusterId: id })));
    const stats = await bench.fetch('/_standin/stats');
    expect(((await stats.json()) as { calls: unknown }).calls).toEqual({
      RunJobFlow: { calls: 1, throttled: 0, failed: 0 },
      ListSteps: { calls: 3, throttled: 1, failed: 1 },
    });
  });
});

test('what is no call of the API is answered, not swallowed', async () => {
  expect((await bench.fetch('/')).status).toBe(404);
  const headers = { 'x-amz-target': 'ElasticMapReduce.MakeCoffee' };
  const unknown = await bench.fetch('/', { method: 'POST', headers, body: '{}' });
  expect(await unknown.json()).toMatchObject({ __type: 'UnknownOperationException' });
  const broken = await bench.fetch('/', { method: 'POST', headers, body: '{' });
  expect(await broken.json()).toMatchObject({ __type: 'SerializationException' });
});
