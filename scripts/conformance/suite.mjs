import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode } from '../other-node.mjs';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
/** The suite needs Node 22 or later. */
const suiteNode = '24.21.0';
const scenarioWithinMs = 15_000;
const suiteWithinMs = 120_000;

/** Every check of a requirement set: its scenario, id, name, status and, if it has one, message. */
export async function runSuite(processes, url, set, name) {
  const what = ['--url', url, '--requirements', set];
  const how = ['--output-dir', 'results', '--timeout', String(scenarioWithinMs)];
  const started = processes.start(name, [installNode(suiteNode), suite, 'server', ...what, ...how]);
  // What it has not got to by then is missing, and that counts where it is a difference.
  await started.endOrKill(suiteWithinMs);
  const results = path.join(started.folder, 'results');
  if (!existsSync(results)) throw new Error(`${name} has no results; see ${started.folder}`);
  return readResults(results);
}

function readResults(folder) {
  // One folder for each scenario: server-<scenario>-<time>
  return readdirSync(folder).flatMap((entry) => {
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    return readChecks(path.join(folder, entry, 'checks.json'), scenario);
  });
}

function readChecks(file, scenario) {
  // A scenario that throws saves no checks; the suite counts it as failed.
  if (!existsSync(file)) return [{ scenario, id: scenario, name: scenario, status: 'FAILURE' }];
  const checks = JSON.parse(readFileSync(file, 'utf8'));
  return checks.map(({ id, name, status, errorMessage: message }) => {
    return { scenario, id, name, status, message };
  });
}
