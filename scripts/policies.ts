/** `npm run policies`: writes the reference of who may do what, beside which a test holds the template. */
import { writeFileSync } from 'node:fs';
import { permissionsOf, policiesOf, REFERENCE_FILE } from '../test/lib/iam/roles.ts';
import { template } from '../test/lib/stacks.ts';

const roles = [...policiesOf(template)].map(([id, policies]) => [id, permissionsOf(policies)]);
writeFileSync(REFERENCE_FILE, `${JSON.stringify(Object.fromEntries(roles), null, 2)}\n`);
