/** The first words of every page that is made of schemas. */
export const GENERATED = 'Made by `npm run docs` from the schemas that validate; a test asks that it is fresh.';
