/** How functions are bundled: by the CDK from the sources, and by `npm run build` for the package. */

/**
 * Ways of the SDK to come by credentials that it loads when the environment has none. On Lambda the environment always
 * has them; left out of the bundles, these are a third of the API's.
 */
export const UNUSED_CREDENTIALS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** As esbuild takes it. `module` first halves a bundle. */
export const BUNDLING = {
  mainFields: ['module', 'main'],
  target: 'node24',
  minify: true,
  external: UNUSED_CREDENTIALS,
};
