/**
 * Runs the end-to-end tests with the CLI on other Node versions. The tests themselves run on this
 * Node; the other ones come from npm into .cache/. Each file takes one of the versions by turns: what
 * a Node breaks is seldom in one file alone. `--all` runs every file on each version.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { installNode } from './other-node.mjs';

const versions = ['22.23.3', '24.21.0'];

/** These run what they test in their own process, which is the same on every Node. */
const withoutProgram = [
  'acp-agent*',
  'harness-*',
  'judge-agents',
  'judge-hostile-answers',
  'judge-models',
  'layers',
  'llm-agent*',
  'mcp-client*',
  'model-server',
  'mutated-suites',
  'scripted-agent',
  'seed-tables',
];

/**
 * What files say, and what is made of results, does not depend on Node either; init.test.ts takes the
 * whole way from a suite to a view of its results. A report is looked at in a browser. Examples and the
 * action are scripts of others around the same commands.
 */
const aboutFiles = [
  'invalid-suites',
  'unreadable-results',
  'result-*',
  'report-*',
  'completion',
  'examples-*',
  'github-action',
  'shards-and-merge',
];

/**
 * Nor does what is planned, limited, judged and reported. How processes, streams and connections behave
 * is what Nodes differ in.
 */
const aboutVerdicts = [
  'check-assertions',
  'check-auto-runs',
  'check-budgets',
  'check-chaos',
  'check-concurrent-agents',
  'check-evals*',
  'check-extension-misfits',
  'check-limits',
  'check-matrix',
  'check-prices',
  'check-prompts',
  'check-rates',
  'check-second-runs',
  'check-seed-examples',
  'check-shards',
  'example-extension',
  'find-tasks',
  'judge-eval',
  'old-suites*',
  'plan',
  'recheck',
  'rejudge',
  'reporters*',
  'schemas',
  'seed-examples',
  'tokens',
];

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

const isAll = process.argv.includes('--all');
const leftOut = [...withoutProgram, ...aboutFiles, ...(isAll ? [] : aboutVerdicts)];

/** By name: what is left out on the command line, the settings of a project take in again. */
const isLeftOut = (name) =>
  leftOut.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
const tests = readdirSync(path.join(root, 'test'))
  .filter((file) => file.endsWith('.test.ts') && !isLeftOut(file.slice(0, -'.test.ts'.length)))
  .map((file) => `test/${file}`)
  .sort();

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const failed = versions.filter((version, turn) => {
  const node = installNode(version);
  console.log(`\nEnd-to-end tests on Node ${version}`);
  const own = tests.filter((_, index) => isAll || index % versions.length === turn);
  return !run(process.execPath, [vitest, 'run', '--project', 'e2e', ...own], {
    env: { ...process.env, PROCTOR_TEST_NODE: node },
  });
});
if (failed.length > 0) {
  console.error(`failed on Node ${failed.join(' and ')}`);
  process.exitCode = 1;
}
