/**
 * Runs the end-to-end tests with the CLI on other Node versions. The tests themselves run on this
 * Node; the other ones come from npm into .cache/.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const versions = ['22.23.3', '24.21.0'];

const root = path.resolve(import.meta.dirname, '..');

function run(command, commandLine, options = {}) {
  const { status, error } = spawnSync(command, commandLine, {
    cwd: root,
    stdio: 'inherit',
    ...options,
  });
  if (error !== undefined) throw error;
  return status === 0;
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
}

function installNode(version) {
  const folder = path.join(root, '.cache', `node-${version.split('.')[0]}`);
  const node = path.join(folder, 'node_modules', 'node', 'bin', 'node');
  if (versionOf(node) === `v${version}`) return node;
  mkdirSync(folder, { recursive: true });
  run('npm', ['install', '--prefix', folder, '--no-save', `node@${version}`]);
  const installed = versionOf(node);
  if (installed !== `v${version}`) {
    throw new Error(`${node} should be Node ${version} and is ${installed ?? 'not there'}`);
  }
  return node;
}

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const failed = versions.filter((version) => {
  const node = installNode(version);
  console.log(`\nEnd-to-end tests on Node ${version}`);
  // Mutated suites are read within the tests' own process, which is the same on every Node.
  const tests = ['--project', 'e2e', '--exclude', 'test/mutated-suites.test.ts'];
  return !run(process.execPath, [vitest, 'run', ...tests], {
    env: { ...process.env, PROCTOR_TEST_NODE: node },
  });
});
if (failed.length > 0) {
  console.error(`failed on Node ${failed.join(' and ')}`);
  process.exitCode = 1;
}
