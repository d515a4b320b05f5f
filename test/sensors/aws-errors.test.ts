import { describe, expect, test } from '@jest/globals';
import { UnreadableAnswer } from '../../functions/sensors/aws-answer.ts';
import { isThrottled, observe } from '../../functions/sensors/aws-errors.ts';
import { BudgetSpent, PokeTimeout } from '../../functions/sensors/sensor.ts';
import { awsError, headError } from './fakes.ts';

const ASKED = { operation: 'emr:ListSteps', permission: 'elasticmapreduce:ListSteps on the cluster j-1' };
const nodeError = (code: string): Error => Object.assign(new Error(`${code} 10.0.0.1`), { code, syscall: 'connect' });
const named = (name: string): Error => Object.assign(new Error('it is so'), { name });

describe('throttled', () => {
  test.each([
    awsError('ThrottlingException', 400),
    awsError('Throttling', 400),
    awsError('SlowDown', 503),
    awsError('TooManyRequestsException', 429),
    awsError('RequestLimitExceeded', 503),
    awsError('ProvisionedThroughputExceededException', 400),
    awsError('SomethingElse', 429),
    headError(503),
    named('SlowDown'),
  ])('%s', (error) => {
    expect(isThrottled(error)).toBe(true);
    expect(observe(error, ASKED)).toEqual({
      kind: 'unknown',
      throttled: true,
      reason: expect.stringContaining('emr:ListSteps: throttled'),
    });
  });
});

describe('unknown', () => {
  test.each([
    awsError('InternalServerException', 500),
    awsError('ServiceUnavailable', 503),
    headError(500),
    headError(502),
    headError(307),
    headError(408),
    awsError('RequestTimeout', 400),
    awsError('ExpiredToken', 400),
    awsError('ExpiredTokenException', 403),
    awsError('UnrecognizedClientException', 400),
    awsError('InvalidClientTokenId', 403),
    awsError('RequestTimeTooSkewed', 403),
    named('CredentialsProviderError'),
    named('TimeoutError'),
    named('AbortError'),
    nodeError('ECONNRESET'),
    nodeError('ECONNREFUSED'),
    nodeError('ENOTFOUND'),
    nodeError('EAI_AGAIN'),
    nodeError('ETIMEDOUT'),
    nodeError('EPIPE'),
    nodeError('EMFILE'),
    nodeError('HPE_INVALID_CONSTANT'),
    nodeError('ERR_TLS_CERT_ALTNAME_INVALID'),
    nodeError('CERT_HAS_EXPIRED'),
    AbortSignal.abort().reason,
    new PokeTimeout('emr:ListSteps took longer than 10 s'),
    new BudgetSpent('no room'),
    new UnreadableAnswer('answer misses Steps'),
    // What the SDK throws when it cannot read an answer (a proxy's page of HTML).
    Object.assign(new SyntaxError('Unexpected token <'), { $metadata: { httpStatusCode: 200 } }),
    Object.assign(new SyntaxError('Unexpected token <'), { $metadata: { httpStatusCode: 502 } }),
  ])('%s', (error) => {
    const observation = observe(error, ASKED);
    expect(observation).toEqual({ kind: 'unknown', reason: expect.stringMatching(/^emr:ListSteps: ./) });
    expect(isThrottled(error)).toBe(false);
  });

  test.each([
    [new BudgetSpent(), 'emr:ListSteps: BudgetSpent'],
    [headError(500), 'emr:ListSteps: 500'],
    [nodeError('ECONNRESET'), 'emr:ListSteps: no answer: ECONNRESET 10.0.0.1'],
  ])('%s has the reason %j', (error, reason) => {
    expect(observe(error, ASKED)).toEqual({ kind: 'unknown', reason });
  });
});

describe('error', () => {
  test.each([
    awsError('AccessDenied', 403),
    awsError('AccessDeniedException', 400),
    awsError('AllAccessDisabled', 403),
    headError(403),
  ])('%s names the permission (case 109)', (error) => {
    const observation = observe(error, { ...ASKED, bodiless: true });
    expect(observation).toEqual({ kind: 'error', reason: expect.stringContaining(`it needs ${ASKED.permission}`) });
  });

  test.each([
    [awsError('InvalidRequestException', 400), 'InvalidRequestException'],
    [awsError('ValidationException', 400), 'ValidationException'],
    [headError(400), '400'],
    [headError(404), 'NotFound'],
    [awsError('MethodNotAllowed', 405), 'MethodNotAllowed'],
  ])('%s', (error, text) => {
    expect(observe(error, { ...ASKED, bodiless: true })).toEqual({
      kind: 'error',
      reason: expect.stringContaining(text),
    });
  });

  test.each([
    [headError(301, { 'x-amz-bucket-region': 'eu-west-1' }), 'Region eu-west-1'],
    [awsError('PermanentRedirect', 301, { Region: 'eu-west-1' }), 'Region eu-west-1'],
    [awsError('AuthorizationHeaderMalformed', 400, { Region: 'eu-west-1' }), 'Region eu-west-1'],
    [headError(301), 'another Region'],
  ])('%s: the bucket is elsewhere', (error, text) => {
    expect(observe(error, { ...ASKED, bodiless: true })).toEqual({
      kind: 'error',
      reason: expect.stringContaining(`the bucket is in ${text}`),
    });
  });

  test('a long message is cut, and of several lines the first is kept', () => {
    const error = awsError('InvalidRequestException', 400, { message: `${'x'.repeat(5000)}\nmore` });
    expect(observe(error, ASKED)).toMatchObject({ reason: expect.stringMatching(/^.{900,1100}…$/) });
  });
});

describe('no answer of AWS: a defect, thrown again', () => {
  test.each([
    new TypeError('x is not a function'),
    new Error('broken'),
    Object.assign(new TypeError('invalid'), { code: 'ERR_INVALID_ARG_TYPE' }),
    Object.assign(new Error('assert'), { code: 'ERR_ASSERTION' }),
    // The SDK's retry middleware leaves its mark on whatever passes.
    Object.assign(new Error('Empty value provided for input HTTP label: Key.'), { $metadata: { attempts: 1 } }),
    'a text',
    undefined,
    null,
  ])('%s', (error) => {
    let thrown: unknown = 'nothing';
    try {
      observe(error, ASKED);
    } catch (caught) {
      thrown = caught;
    }
    expect(thrown).toBe(error);
    expect(isThrottled(error)).toBe(false);
  });
});
