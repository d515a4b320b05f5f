// A deploy with 200 buckets in `allow`, on an emulator of its own: the template's own limits are a unit test's matter.
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deploy } from '../../local/deploy.ts';
import type { Emulator } from '../../local/emulator.ts';
import { IDENTITY } from '../../local/identity.ts';
import { createApi } from '../e2e/api.ts';
import { ownEmulator, ROOT, STATE_DIR } from './own-emulator.ts';

const LIMIT_MS = 400_000;
const report = (): void => {};

let emulator: Emulator;

beforeAll(async () => {
  emulator = await ownEmulator();
}, LIMIT_MS);

afterAll(() => emulator.stop());

const bucket = (each: number): string => `acme-team-${each}-landing-prod`;

test(
  'with 200 buckets in allow it deploys, and a queue that may read one of them reads no other',
  async () => {
    const { endpoint } = emulator;
    const allow = Array.from({ length: 200 }, (_, each) => `arn:aws:s3:::${bucket(each)}/in/*`);
    const queues = JSON.stringify({ 'team-7': { allow: [allow[7]] } });
    const context = { allow: allow.join(','), queues, removal: 'destroy', dashboard: 'false' };
    const outputs = await deploy({
      app: ROOT,
      stateDir: STATE_DIR,
      stack: 'Sensorium',
      endpoint,
      env: process.env,
      report,
      context,
    });

    const events = new EventBridgeClient({ ...IDENTITY, endpoint });
    const { Rules = [] } = await events.send(new ListRulesCommand({}));
    events.destroy();
    const patterns = Rules.flatMap(({ Name, EventPattern }) => (Name?.includes('Objects') ? String(EventPattern) : []));
    expect(patterns.length).toBeGreaterThan(1);
    for (const each of [0, 7, 199])
      expect(patterns.filter((text) => text.includes(`"${bucket(each)}"`))).toHaveLength(1);

    const api = createApi(outputs['ApiUrl'] ?? '');
    const submit = (queue: string, each: number, key = 'in/a.csv') =>
      api.call('POST', '/v1/tasks', { queue, sensor: { type: 's3_key', bucket: bucket(each), key } });
    expect(await submit('team-7', 7)).toMatchObject({ status: 201 });
    expect(await submit('team-7', 8)).toMatchObject({ status: 403 });
    expect(await submit('team-7', 7, 'out/a.csv')).toMatchObject({ status: 403 });
    expect(await submit('other', 199)).toMatchObject({ status: 201 });
    expect(await submit('other', 200)).toMatchObject({ status: 403 });
  },
  LIMIT_MS,
);
