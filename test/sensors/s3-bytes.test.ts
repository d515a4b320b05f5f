import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fakeIo, poke } from './fakes.ts';
import { ODD_KEYS } from './odd-keys.ts';
import { errorBody, head, headRefusal, s3Stub, xml } from './s3-stub.ts';
import type { Asked, Bytes } from './s3-stub.ts';

/** The real client over a socket that answers byte for byte as S3 does. */
const KEY = { type: 's3_key', bucket: 'landing', key: 'a' };
const WILD = { ...KEY, key: 'a*', wildcard_match: true };
const FOUND = head('200 OK', ['Content-Length: 5', 'ETag: "b1946ac92492d2347c6235b4d2611184"', 'Accept-Ranges: bytes']);
const ELSEWHERE = 'x-amz-bucket-region: eu-west-1';

let stub: Awaited<ReturnType<typeof s3Stub>>;
let s3: ReturnType<(typeof stub)['client']>;

beforeAll(async () => {
  stub = await s3Stub(300);
  s3 = stub.client();
});

afterAll(() => stub.close());

/** What a HEAD and a LIST are answered. */
const by = (ofHead: Bytes, ofList: Bytes) => (request: Asked) => (request.method === 'HEAD' ? ofHead : ofList);
const listed = (body: string): string =>
  `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${body}</ListBucketResult>`;
const EMPTY = xml('200 OK', listed('<Name>landing</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated>'));
const DENIED = xml('403 Forbidden', errorBody('AccessDenied'));

describe('a HEAD', () => {
  test('finds a key, its size, and the connection stays', async () => {
    stub.says(() => FOUND);
    expect(await poke({ s3 }, { ...KEY, min_size: 5 })).toEqual({ kind: 'met' });
    expect(await poke({ s3 }, { ...KEY, min_size: 6 })).toMatchObject({ kind: 'not_met' });
  });

  test.each<[string, Bytes, Bytes, { readonly kind: string; readonly reason?: RegExp }, number]>([
    ['404', headRefusal('404 Not Found'), EMPTY, { kind: 'not_met' }, 1],
    ['404 with a header', headRefusal('404 Not Found', [ELSEWHERE]), EMPTY, { kind: 'not_met' }, 1],
    ['404 that closes', headRefusal('404 Not Found', ['Connection: close']), EMPTY, { kind: 'not_met' }, 1],
    ['403, LIST denied', headRefusal('403 Forbidden'), DENIED, { kind: 'error', reason: /it needs s3:GetObject/ }, 2],
    ['403 with a header', headRefusal('403 Forbidden', [ELSEWHERE]), DENIED, { kind: 'error', reason: /it needs/ }, 2],
    ['403, LIST taken', headRefusal('403 Forbidden'), EMPTY, { kind: 'error', reason: /it needs s3:GetObject/ }, 2],
    [
      '403, no such key of ours',
      headRefusal('403 Forbidden'),
      xml('403 Forbidden', errorBody('InvalidAccessKeyId', '<AWSAccessKeyId>a</AWSAccessKeyId>')),
      { kind: 'unknown', reason: /InvalidAccessKeyId/ },
      2,
    ],
    [
      'N010: 400, token expired',
      headRefusal('400 Bad Request', ['Connection: close']),
      xml('400 Bad Request', errorBody('ExpiredToken', '<Token-0>t</Token-0>'), ['Connection: close']),
      { kind: 'unknown', reason: /ExpiredToken/ },
      2,
    ],
    [
      '400 with a header, wrong Region',
      headRefusal('400 Bad Request', [ELSEWHERE, 'Connection: close']),
      xml('400 Bad Request', errorBody('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>')),
      { kind: 'error', reason: /Region eu-west-1/ },
      2,
    ],
    [
      '301 with a header',
      headRefusal('301 Moved', [ELSEWHERE]),
      EMPTY,
      { kind: 'error', reason: /Region eu-west-1/ },
      1,
    ],
    [
      '301 without one',
      headRefusal('301 Moved'),
      xml('301 Moved', errorBody('PermanentRedirect', '<Endpoint>landing.s3.eu-west-1.amazonaws.com</Endpoint>'), [
        ELSEWHERE,
      ]),
      { kind: 'error', reason: /Region eu-west-1/ },
      2,
    ],
    ['503', headRefusal('503 Slow Down'), EMPTY, { kind: 'unknown', reason: /throttled/ }, 1],
    [
      '500',
      headRefusal('500 Internal Server Error', ['Connection: close']),
      EMPTY,
      { kind: 'unknown', reason: /500/ },
      1,
    ],
  ])('%s', async (_, ofHead, ofList, { kind, reason }, requests) => {
    stub.says(by(ofHead, ofList));
    const observation = await poke({ s3 }, KEY, { io: fakeIo() });
    expect(observation.kind).toBe(kind);
    expect(JSON.stringify(observation)).toMatch(reason ?? /./);
    expect(stub.asked).toHaveLength(requests);
    // The connection is as good as before.
    stub.says(() => FOUND);
    expect(await poke({ s3 }, KEY)).toEqual({ kind: 'met' });
  });
});

describe('keys', () => {
  test.each(ODD_KEYS)('N002: %s is encoded once on the wire, as a key and in a URL', async (key) => {
    stub.says(() => FOUND);
    for (const input of [
      { ...KEY, key },
      { type: 's3_key', key: `s3://landing/${key}` },
    ]) {
      expect(await poke({ s3 }, input)).toEqual({ kind: 'met' });
    }
    const paths = stub.asked.map(({ path }) => decodeURIComponent(path.split('?')[0] ?? ''));
    expect(paths).toEqual([`/landing/${key}`, `/landing/${key}`]);
  });

  test('N003: a ? is one', async () => {
    stub.says(({ path }) => (path === '/landing/file_with_%3F.parquet' ? FOUND : headRefusal('404 Not Found')));
    expect(await poke({ s3 }, { ...KEY, key: 'file_with_?.parquet' })).toEqual({ kind: 'met' });
    expect(await poke({ s3 }, { ...KEY, key: 'file_with_x.parquet' })).toMatchObject({ kind: 'not_met' });
  });
});

const object = (key: string): string =>
  `<Contents><Key>${key}</Key><LastModified>2024-10-01T00:00:00.000Z</LastModified><ETag>&quot;b1946ac9&quot;</ETag><Size>5</Size><StorageClass>STANDARD</StorageClass></Contents>`;
const pageOf = (keys: readonly string[], next?: string): string => {
  const more = `<IsTruncated>${next !== undefined}</IsTruncated>`;
  const token = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
  return xml('200 OK', listed(`<Name>landing</Name>${more}${token}${keys.map(object).join('')}`));
};

describe('a LIST', () => {
  test('N006: a key behind two whole pages is found by the third LIST', async () => {
    const keys = Array.from({ length: 2501 }, (_, index) => `a${String(index).padStart(4, '0')}`);
    // A token of S3 has signs that a URL encodes.
    const pages = ['', '1/+Fq==', '2/+Fq=='];
    stub.says(({ path }) => {
      const token = new URL(path, 'http://s3').searchParams.get('continuation-token') ?? '';
      const at = pages.indexOf(token);
      return pageOf(keys.slice(at * 1000, (at + 1) * 1000), pages[at + 1]);
    });
    expect(await poke({ s3 }, { ...WILD, key: 'a2500*' })).toEqual({ kind: 'met', value: { keys: ['a2500'] } });
    expect(stub.asked).toHaveLength(3);
  });

  test('N007: a whole page with entities and control characters is read', async () => {
    const odd = [
      'a&amp;b',
      'a&lt;c&gt;',
      'a&quot;d',
      'a&apos;e',
      'a&#x1;f',
      'a&#13;g',
      'a😀h',
      'a&amp;amp;i',
      'a]]&gt;j',
    ];
    const keys = [...odd, ...Array.from({ length: 1000 - odd.length }, (_, index) => `a${index}`)];
    stub.says(() => pageOf(keys));
    const said = async (key: string) => poke({ s3 }, { ...WILD, key });
    expect(await said('a*.csv')).toMatchObject({ kind: 'not_met' });
    expect(await said('a[&]b')).toEqual({ kind: 'met', value: { keys: ['a&b'] } });
    expect(await said('a&amp;i*')).toEqual({ kind: 'met', value: { keys: ['a&amp;i'] } });
    expect(await said('a<c?')).toEqual({ kind: 'met', value: { keys: ['a<c>'] } });
    expect(await said('a??h')).toMatchObject({ kind: 'not_met' });
    expect(await said('a?h')).toEqual({ kind: 'met', value: { keys: ['a😀h'] } });
    expect(await said('a?f')).toEqual({ kind: 'met', value: { keys: ['a\u0001f'] } });
  });

  test('is throttled', async () => {
    stub.says(() => xml('503 Slow Down', errorBody('SlowDown')));
    expect(await poke({ s3 }, WILD)).toMatchObject({ kind: 'unknown', throttled: true });
  });
});

const refusing = new Agent({
  lookup: (_host, _options, told) => told(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []),
});

describe('N013: the network is no answer', () => {
  const garbage = { cut: 'SSH-2.0-OpenSSH_9.6\r\n' };
  const proxy = { cut: head('502 Bad Gateway', ['Content-Length: 6', 'Connection: close']) + '<html>' };

  test.each<[string, Bytes]>([
    ['a reset', { instead: 'reset' }],
    ['silence', { instead: 'silence' }],
    ['an end without a word', { cut: '' }],
    ['half a head', { cut: 'HTTP/1.1 200 OK\r\nContent-Le' }],
    ['garbage', garbage],
    ["a proxy's page", proxy],
  ])('%s', async (_, bytes) => {
    stub.says(() => bytes);
    expect(await poke({ s3 }, KEY)).toMatchObject({ kind: 'unknown' });
    expect(await poke({ s3 }, WILD)).toMatchObject({ kind: 'unknown' });
  });

  test('a LIST that is cut in its body', async () => {
    const whole = pageOf(['b']);
    stub.says(() => ({ cut: whole.slice(0, whole.indexOf('<Key>')) }));
    expect(await poke({ s3 }, WILD)).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    ['nobody listens', () => stub.client('http://127.0.0.1:1')],
    ['no such host', () => stub.client('http://s3.invalid', refusing)],
    ['no TLS there', () => stub.client(`https://${stub.address}`)],
  ])('%s', async (_, client) => {
    stub.says(() => FOUND);
    expect(await poke({ s3: client() }, KEY)).toMatchObject({ kind: 'unknown' });
    expect(await poke({ s3: client() }, WILD)).toMatchObject({ kind: 'unknown' });
  });
});
