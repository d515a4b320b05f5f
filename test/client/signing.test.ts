import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { createSigner, regionOf } from '../../client/signing.ts';
import botocore from './canonical-paths.json' with { type: 'json' };
import { aBench } from './setup.ts';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

describe('signing', () => {
  test('by credentials as a value or a provider, asked before each request', async () => {
    let asked = 0;
    const provider = async () => {
      asked += 1;
      return { ...CREDENTIALS, sessionToken: `token-${asked}` };
    };
    const { client, sent } = aBench({ region: 'eu-west-1', credentials: provider });
    await client.setQueue('q', {});
    await client.list({ queue: 'q', run_id: "manual__2024-01-01T00:00:00+00:00 (it's *1*)" }).catch(() => undefined);
    expect(sent.map(({ headers }) => headers['x-amz-security-token'])).toEqual(['token-1', 'token-2']);
    expect(sent[0]?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=\S*host\S*/,
    );
    // As it is signed, so it is sent: nothing for two sides to write in two ways.
    expect(sent[1]?.path).toBe(
      '/v1/tasks?queue=q&run_id=manual__2024-01-01T00%3A00%3A00%2B00%3A00%20%28it%27s%20%2A1%2A%29',
    );
  });

  test.each(botocore.paths)('$path is signed as botocore does it: $canonical', async ({ path, signature }) => {
    const sign = createSigner({ credentials: CREDENTIALS, region: 'eu-west-1', service: 'execute-api' });
    const url = new URL(path, 'https://api.test');
    // Sent as it is signed.
    expect(url.pathname).toBe(path);
    const { authorization } = await sign({ method: 'GET', url, headers: {} }, Date.UTC(2024, 0, 1));
    expect(authorization).toMatch(/SignedHeaders=host;x-amz-content-sha256;x-amz-date,/);
    expect(authorization?.endsWith(`Signature=${signature}`)).toBe(true);
  });

  test('credentials that cannot be had: their own error, and no request', async () => {
    const error = new Error('the session has expired');
    const { client, sent } = aBench({ region: 'eu-west-1', credentials: () => Promise.reject(error) });
    await expect(client.get('a')).rejects.toBe(error);
    expect(sent).toEqual([]);
  });

  test('without credentials: no signature', async () => {
    const { client, sent } = aBench();
    await client.queues();
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('the Region is that of the URL, or has to be said', () => {
    const url = 'https://abc123.execute-api.ap-southeast-2.amazonaws.com/live/';
    expect(regionOf(url)).toBe('ap-southeast-2');
    expect(regionOf('https://abc.execute-api.cn-north-1.amazonaws.com.cn/live')).toBe('cn-north-1');
    expect(regionOf('http://127.0.0.1:4566/_aws/execute-api/abc/live/')).toBeUndefined();
    expect(() => createClient({ url, credentials: CREDENTIALS })).not.toThrow();
    expect(() => createClient({ url: 'https://sensors.example', credentials: CREDENTIALS })).toThrow(
      'region is required',
    );
    expect(() => createClient({ url: 'sensors' })).toThrow('url must be');
  });
});
