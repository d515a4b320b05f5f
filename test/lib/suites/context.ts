import { describe, expect, test } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { readContext } from '../../../lib/context.ts';
import type { SensoriumProps } from '../../../lib/sensorium.ts';
import { STREAM, stackOf } from '../stacks.ts';

const read = (context: Readonly<Record<string, unknown>>): SensoriumProps => readContext((key) => context[key]);

describe('the context of the app', () => {
  test('opens nothing and keeps everything where it says nothing', () => {
    expect(read({})).toEqual({ allow: [], removalPolicy: RemovalPolicy.RETAIN });
  });

  test('is read from the command line and from cdk.json', () => {
    const allow = ['arn:aws:s3:::a/*', 'arn:aws:s3:::b/*'];
    expect(read({ allow: allow.join(', ') }).allow).toEqual(allow);
    expect(read({ allow }).allow).toEqual(allow);
    expect(read({ settings: '{"shards":4}' }).settings).toMatchObject({ shards: 4 });
    expect(read({ settings: { shards: 4 } }).settings).toMatchObject({ shards: 4 });
    expect(read({ allowCancel: 'true' })).toMatchObject({ allowCancel: true });
    expect(read({ allowCancel: false })).toMatchObject({ allowCancel: false });
    expect(read({ dashboard: 'false' })).toMatchObject({ dashboard: false });
    expect(read({ events: 'false' })).toMatchObject({ events: false });
    const queues = { 'team-a': { allow: ['arn:aws:s3:::a/*'] } };
    expect(read({ queues: JSON.stringify(queues), closed: 'true' })).toMatchObject({ queues, closed: true });
    expect(read({ queues })).toMatchObject({ queues });
    expect(read({ table: STREAM })).toMatchObject({ table: STREAM });
    expect(read({ removal: 'destroy', emrEndpoint: 'http://127.0.0.1:4567' })).toMatchObject({
      removalPolicy: RemovalPolicy.DESTROY,
      emrEndpoint: 'http://127.0.0.1:4567',
    });
  });

  test.each([
    [{ allow: 7 }, 'Context "allow" is 7; it should be ARN patterns between commas.'],
    [{ allow: 'arn:aws:s3:::a/*,' }, 'Context "allow"'],
    [{ allowCancel: 'yes' }, 'Context "allowCancel" is "yes"; it should be true or false.'],
    [{ events: 'off' }, 'Context "events" is "off"; it should be true or false.'],
    [{ removal: 'delete' }, 'Context "removal" is "delete"; it should be retain or destroy.'],
    [
      { emrEndpoint: 'localhost:4567' },
      'Context "emrEndpoint" is "localhost:4567"; it should be an http or https URL.',
    ],
    [{ queues: '{' }, 'Context "queues" is "{"; it should be a JSON object such as'],
    [{ queues: { a: ['x'] } }, 'Context "queues" is {"a":["x"]}; it should be'],
    [{ closed: 'yes' }, 'Context "closed" is "yes"; it should be true or false.'],
    [{ table: 7 }, 'Context "table" is 7; it should be a text.'],
    [{ settings: '{"shards":0}' }, 'SETTINGS: shards'],
    [{ settings: 'shards=4' }, 'SETTINGS'],
  ])('%j is refused with its key', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });

  test('that allows what is no ARN stops the synth', () => {
    expect(() => stackOf({ allow: ['landing/*'] })).toThrow('"landing/*" is no ARN pattern');
  });
});
