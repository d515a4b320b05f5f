import { EMRClient } from '@aws-sdk/client-emr';
import { S3Client } from '@aws-sdk/client-s3';
import middy from '@middy/core';
import { logLine, newOpId, realClock } from '../runtime/clock.ts';
import { openStore } from '../runtime/store.ts';
import { createSensors } from '../sensors/registry.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { createShardWorker } from './worker.ts';

const environment = readEnvironment('shard-worker', process.env);

// One attempt a call: the rate budget counts calls, and the SDK's own retries would hide throttling.
const client = { maxAttempts: 1 };

const settings = parseSettings(environment.SETTINGS);

const work = createShardWorker({
  store: openStore(environment.TABLE_NAME, settings.shards),
  sensors: createSensors({ s3: new S3Client({ ...client, followRegionRedirects: false }), emr: new EMRClient(client) }),
  clock: realClock,
  newId: newOpId,
  log: logLine,
  settings,
});

export const handler = middy((event: unknown) => work(event));
