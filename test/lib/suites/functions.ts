import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { ENVIRONMENT } from '../../../functions/settings.ts';
import { local, stackOf } from '../stacks.ts';
import { all, allowed, FUNCTIONS, one } from '../templates.ts';
import type { template } from '../stacks.ts';

const POKING = ['ShardWorker', 'FirstPoke', 'DeferralFunction', 'PokeWorker'];

describe('every function', () => {
  test('is one of these', () => {
    expect(all('AWS::Lambda::Function')).toHaveLength(FUNCTIONS.length);
  });

  test.each(FUNCTIONS)('%s runs on Node 24 and arm64, with a role and a log group of its own', (construct) => {
    const properties = one('AWS::Lambda::Function', construct);
    expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    expect(JSON.stringify(properties['LoggingConfig'])).toContain(`${construct}Logs`);
    expect(JSON.stringify(properties['Role'])).toContain(`${construct}Role`);
  });

  test.each(FUNCTIONS)('%s is given each variable that %s reads, and no other', (construct, handler) => {
    const { Variables } = one('AWS::Lambda::Function', construct).Environment;
    expect(Object.keys(Variables).toSorted()).toEqual([...ENVIRONMENT[handler]].toSorted());
  });

  test('that pokes asks another EMR where that is said', () => {
    for (const construct of POKING) {
      const { Variables } = one('AWS::Lambda::Function', construct, local).Environment;
      expect(Variables['AWS_ENDPOINT_URL_EMR']).toBe('http://127.0.0.1:4567');
    }
  });

  test('N035: has an environment far below the 4 kB of Lambda, however much is opened', () => {
    const allow = Array.from({ length: 60 }, (_, index) => `arn:aws:s3:::team-${index}-${'x'.repeat(40)}/in/*`);
    const long = Template.fromStack(stackOf({ allow }));
    for (const [, { Environment }] of all('AWS::Lambda::Function', long)) {
      expect(Buffer.byteLength(JSON.stringify(Environment.Variables))).toBeLessThan(2_000);
    }
  });

  test('has no concurrency of its own, unless the operator keeps some for it: a new account has none to spare', () => {
    const reserved = (of?: typeof template): unknown[] =>
      all('AWS::Lambda::Function', of).flatMap(([id, { ReservedConcurrentExecutions: kept }]) =>
        kept === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), kept]],
      );
    expect(reserved()).toEqual([]);
    const reservedConcurrency = { dispatcher: 1, shardWorker: 50 };
    expect(reserved(Template.fromStack(stackOf({ reservedConcurrency })))).toEqual([
      ['SensoriumSmartSensorShardWorker', 50],
      ['SensoriumSmartSensorDispatcher', 1],
    ]);
  });

  test('has a reservation refused that names no function, or no number of executions', () => {
    const synth = (reservedConcurrency: Readonly<Record<string, number>>, more = {}) => {
      return () => stackOf({ reservedConcurrency, ...more });
    };
    expect(synth({ worker: 1 })).toThrow('reservedConcurrency.worker: there is no such function, only api, execution');
    for (const executions of [0, -1, 1.5, Number.NaN]) {
      expect(synth({ router: executions })).toThrow(
        `reservedConcurrency.router is ${executions}; it should be a whole number from 1`,
      );
    }
    expect(synth({ events: 1 }, { events: false })).toThrow('reservedConcurrency.events: the function is switched off');
  });

  test('is stopped where it comes back to itself, but for the poke worker, whose runs hand over to each other', () => {
    const looping = all('AWS::Lambda::Function').filter(([, { RecursiveLoop }]) => RecursiveLoop !== undefined);
    expect(looping).toMatchObject([[expect.stringContaining('PokeWorker'), { RecursiveLoop: 'Allow' }]]);
  });

  test('has logs that expire', () => {
    const groups = all('AWS::Logs::LogGroup');
    expect(groups).toHaveLength(FUNCTIONS.length + 1);
    for (const [, { RetentionInDays }] of groups) expect(RetentionInDays).toBe(30);
  });
});

describe('roles', () => {
  test('have no policy that AWS keeps, but for the one by which API Gateway logs', () => {
    const managed = all('AWS::IAM::Role').filter(([, { ManagedPolicyArns = [] }]) =>
      ManagedPolicyArns.some((arn) => JSON.stringify(arn).includes(':iam::aws:policy')),
    );
    expect(managed.map(([id]) => id)).toEqual([expect.stringContaining('ApiCloudWatchRole')]);
  });

  test('have no resource that is everything, but for the one action that takes none', () => {
    const open = [...all('AWS::IAM::Policy'), ...all('AWS::IAM::ManagedPolicy')].flatMap(([, { PolicyDocument }]) =>
      PolicyDocument.Statement.filter(({ Resource }) => [Resource].flat().includes('*')),
    );
    expect(new Set(open.map(({ Action }) => Action))).toEqual(new Set(['dynamodb:ListStreams']));
  });

  test('are of the partition that they are deployed to, whatever the operator calls it', () => {
    const open = (allow: string): string =>
      allowed('PokeWorker', Template.fromStack(stackOf({ allow: [allow] })))['s3:GetObject'] ?? '';
    expect(open('arn:aws-cn:s3:::landing/*')).toBe('"arn:aws-cn:s3:::landing/*"');
    const own = (resource: string): string =>
      JSON.stringify({ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, resource]] });
    expect(open('arn:*:s3:::landing/*')).toBe(own(':s3:::landing/*'));
    expect(open('*')).toBe(own(':s3:::*/*'));
  });

  test.each(POKING)('let %s read what is allowed', (construct) => {
    expect(allowed(construct)).toMatchObject({
      's3:GetObject': '"arn:aws:s3:::landing/*"',
      's3:ListBucket': '"arn:aws:s3:::landing"',
      'elasticmapreduce:ListSteps': '"arn:aws:elasticmapreduce:eu-west-1:*:cluster/*"',
    });
  });

  test('let nobody else read anything outside, and nobody where nothing is allowed', () => {
    const outside = (actions: Readonly<Record<string, string>>): string[] =>
      Object.keys(actions).filter((action) => /^(s3|elasticmapreduce):/.test(action));
    const readers = FUNCTIONS.filter(([construct]) => outside(allowed(construct)).length > 0);
    expect(readers.map(([construct]) => construct)).toEqual(POKING);
    expect(FUNCTIONS.flatMap(([construct]) => outside(allowed(construct, local)))).toEqual([]);
  });

  test('let nobody end anything outside, unless the operator opts in to it: then the ticks alone', () => {
    const ending = (of?: typeof template): unknown[] =>
      FUNCTIONS.flatMap(([construct]) => {
        const actions = Object.entries(allowed(construct, of)).filter(([action]) => /:(Cancel|Terminate)/.test(action));
        return actions.map(([action, resources]) => [construct, action, resources]);
      });
    expect(ending()).toEqual([]);
    const clusters = '"arn:aws:elasticmapreduce:eu-west-1:*:cluster/*"';
    expect(ending(Template.fromStack(stackOf({ allowCancel: true })))).toEqual([
      ['ShardWorker', 'elasticmapreduce:CancelSteps', clusters],
      ['ShardWorker', 'elasticmapreduce:TerminateJobFlows', clusters],
    ]);
  });

  test('let nobody scan the table, or change it as a whole', () => {
    const actions = FUNCTIONS.flatMap(([construct]) => Object.keys(allowed(construct)));
    expect(actions.filter((action) => /\*|Scan|Table|PartiQLDelete/.test(action))).toEqual([]);
  });
});
