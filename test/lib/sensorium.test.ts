// All tests of the templates are one file: the first synth of a process costs seconds, the next ones next to nothing.
import { expect, test } from '@jest/globals';
import './suites/accelerator.ts';
import './suites/context.ts';
import './suites/deferral.ts';
import './suites/example.ts';
import './suites/functions.ts';
import './suites/grants.ts';
import './suites/limits.ts';
import './suites/opened.ts';
import './suites/roles.ts';
import './suites/service.ts';
import './suites/smart-sensor.ts';
import './suites/submit-and-wait.ts';
import './suites/table.ts';
import './suites/upgrade.ts';
import { template } from './stacks.ts';

test('the template has not changed unseen', () => {
  const text = JSON.stringify(template.toJSON()).replaceAll(/\b[0-9a-f]{64}\b/g, '<asset>');
  expect(JSON.parse(text)).toMatchSnapshot();
});
