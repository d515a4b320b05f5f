import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LandingZone } from '../../../local/demo/landing-zone.ts';
import { connect } from '../service.ts';
import { LIMIT_MS, openBucket, runScript, ticking, untilWaiting } from './world.ts';

const service = connect();
const bucket = service.unique('landing');
const queue = service.queue();
let zone: LandingZone;

beforeAll(async () => {
  zone = await openBucket(service, bucket);
});

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

test(
  'each step begins when all that it reads has landed; a second run finds the tasks of the first',
  async () => {
    const clicks = Array.from(
      { length: 24 },
      (_, hour) => `clicks/2024-01-01/${String(hour).padStart(2, '0')}/_SUCCESS`,
    );
    for (const key of clicks.slice(0, 23)) await zone.land(key);
    const args = ['--bucket', bucket, '--date', '2024-01-01', '--queue', queue];
    const running = runScript(service, 's3-keys/main.ts', args);
    await untilWaiting(service, queue, 3);
    await zone.land('orders/2024-01-01/_SUCCESS');
    await zone.land(clicks[23]!);
    const { code, lines } = await ticking(service, running);
    expect({ code, lines: lines.toSorted() }).toEqual({
      code: 0,
      lines: ['funnel begins', 'orders begins', 'sessions begins'],
    });
    expect(await runScript(service, 's3-keys/main.ts', args)).toMatchObject({ code: 0 });
    expect(await service.api.tasks(queue)).toHaveLength(3);
  },
  LIMIT_MS,
);
