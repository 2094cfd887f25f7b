/**
 * Runs end-to-end tests with the CLI on other Node versions, which come from npm into .cache/; the tests
 * themselves run on this Node. Of the files that look at what Nodes differ in, each takes one of the
 * versions by turns: what a Node breaks is seldom in one file alone. `--all` runs every file that starts
 * the CLI on each version.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { installNode } from './other-node.mjs';

const versions = ['22.23.3', '24.21.0', '26.10.0'];

/**
 * What Nodes differ in: how processes, streams, signals, connections and terminals behave. init and
 * quickstart take the whole way from a suite to a view of its results.
 */
const whereNodesDiffer = [
  'bridge/*',
  'check/interrupt',
  'check/leaks',
  'check/life',
  'check/output-files',
  'check/preflight',
  'check/recovery',
  'check/resume',
  'check/servers',
  'check/sources',
  'check/terminal',
  'command-line/command-line',
  'command-line/launcher',
  'command-line/process-guard',
  'examples/quickstart',
  'extensions/*',
  'init/*',
  'proxy/*',
  'reporters/stopped-outputs',
  'steps/interrupt',
  'steps/script-faults',
  'steps/scripts',
  'steps/whole-outputs',
];

/** These run what they test in their own process, which is the same on every Node. */
const withoutProgram = [
  'agents/acp-agent*',
  'agents/llm-agent*',
  'agents/model-server',
  'agents/scripted-agent',
  'judge/agents',
  'judge/hostile-answers',
  'judge/models',
  'mcp/client*',
  'mcp/step-call*',
  'mcpchecker/seed-tables',
  'project/layers',
  'validate/mutated-suites',
];

/** They need other programs, and have settings of their own. */
const withOtherPrograms = ['queue/*', 'real-agents/*'];

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
const isAmong = (patterns, name) =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );

/** By name: what is left out on the command line, the settings of a project take in again. */
const tests = readdirSync(path.join(root, 'test'), { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => {
    const name = file.replace(/(\.slow)?\.test\.ts$/, '');
    if (isAmong(withOtherPrograms, name)) return false;
    return isAll ? !isAmong(withoutProgram, name) : isAmong(whereNodesDiffer, name);
  })
  .map((file) => `test/${file}`)
  .sort();

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const failed = versions.filter((version, turn) => {
  const node = installNode(version);
  console.log(`\nEnd-to-end tests on Node ${version}`);
  const own = tests.filter((_, index) => isAll || index % versions.length === turn);
  return !run(process.execPath, [vitest, 'run', '--project', 'e2e', ...own], {
    env: { ...process.env, PROCTOR_TEST_FULL: '1', PROCTOR_TEST_NODE: node },
  });
});
if (failed.length > 0) {
  console.error(`failed on Node ${failed.join(' and ')}`);
  process.exitCode = 1;
}
