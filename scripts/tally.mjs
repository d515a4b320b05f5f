// Adds up what the test runs and the checks left in .reports, and prints it as the last line: `N passed, N failed`.
// Arguments: the exit codes of the tests and of `npm run check`. One that failed without saying where counts as one failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const reports = fileURLToPath(new URL('../.reports', import.meta.url));
const [testStatus, checkStatus] = process.argv.slice(2).map(Number);

function read(file) {
  const report = JSON.parse(readFileSync(join(reports, file), 'utf8'));
  if (file === 'check.json') return report;
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
}

function tally(files, status) {
  const counts = files.map(read);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  const silent = failed === 0 && (status !== 0 || passed === 0);
  return { passed, failed: silent ? 1 : failed };
}

const files = existsSync(reports) ? readdirSync(reports).filter((file) => file.endsWith('.json')) : [];
const isCheck = (file) => file === 'check.json';
const tests = tally(
  files.filter((file) => !isCheck(file)),
  testStatus,
);
const checks = tally(files.filter(isCheck), checkStatus);

console.log(`${tests.passed + checks.passed} passed, ${tests.failed + checks.failed} failed`);
process.exitCode = tests.failed + checks.failed === 0 ? 0 : 1;
