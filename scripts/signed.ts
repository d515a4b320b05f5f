/** `npm run signed -- METHOD URL [JSON]`: one request, signed, under a URL as it stands. Prints the status and the body. */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { regionOf } from '../client/signing.ts';
import { createSignedFetch } from '../local/signed-fetch.ts';

const [method, url, body] = process.argv.slice(2);
if (method === undefined || url === undefined || !URL.canParse(url)) {
  console.error('usage: npm run signed -- METHOD URL [JSON]');
  process.exit(2);
}
const region = regionOf(url) ?? process.env['AWS_REGION'] ?? 'us-east-1';
const signedFetch = createSignedFetch({ credentials: defaultProvider(), region, service: 'execute-api' });
const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
const answer = await signedFetch({ method, url, ...json });
console.log(`${answer.status} ${await answer.text()}`);
