// `npm start` and `npm test` on a fresh clone: installs what the lock file says, once, and hands over to the
// project's own Node. Plain JavaScript without dependencies, because it runs before there are any.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const COMMANDS = { start: 'local/start.ts', test: 'local/test.ts' };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function fail(sentence, code = 1) {
  console.error(`sensorium: ${sentence}`);
  process.exit(code);
}

function answers(command) {
  const { status } = spawnSync(command, ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' });
  return status === 0;
}

const packagesOf = (lockFile) => JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;

/** Does node_modules hold what the lock file says? npm leaves its own account of it there, as the last thing it does. */
function isInstalled() {
  const account = join('node_modules', '.package-lock.json');
  if (!existsSync(node) || !existsSync(join(root, account))) return false;
  const installed = packagesOf(account);
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function install() {
  if (!answers('npm')) fail('npm is not on the path; install Node.js with npm first.');
  console.error('sensorium: installing the packages of package-lock.json (once; about a minute)');
  const { status, signal } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (signal) process.exit(128 + constants.signals[signal]);
  if (status !== 0) fail('npm ci failed, its reason stands above. The first start needs the network.', status ?? 1);
  if (!existsSync(node)) {
    fail('npm ci brought no Node 24: the install script of the package "node" did not run. Is ignore-scripts set?');
  }
}

function run(script, args) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(node, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  // A Ctrl-C at a terminal reaches the child by itself; what is sent to this process alone is passed on.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${script} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const [command, ...args] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command ?? '')) {
  fail(`unknown command "${command ?? ''}"; there are: ${Object.keys(COMMANDS).join(', ')}.`, 2);
}
if (command === 'start' && args.length === 1 && ['--help', '-h'].includes(args[0])) {
  process.stdout.write(readFileSync(join(root, 'local', 'demo', 'help.txt'), 'utf8'));
  process.exit(0);
}
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(`Node ${process.versions.node} is too old; version ${OLDEST_NODE} or later is needed.`);
}
// The tests say loudly what they leave out without an emulator; a start has nothing to show without one.
if (command === 'start' && !answers('python3')) fail('python3 is not on the path; the local emulator needs Python 3.');
if (!isInstalled()) install();
run(COMMANDS[command], args);
