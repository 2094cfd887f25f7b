import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode } from '../other-node.mjs';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const patientServers = new URL('patient-servers.mjs', import.meta.url).href;
/** The suite needs Node 22 or later. */
const suiteNode = '24.21.0';
/** Servers are asked for one scenario after the other, clients are started for all of them at once. */
const scenarioWithinMs = { server: 15_000, client: 60_000 };
const suiteWithinMs = 120_000;

/**
 * Every check of a requirement set: its scenario, id, name, status and, if it has one, message.
 * `subject` is what is tested: `--url URL` of a server, or `--command COMMAND` of a client.
 */
export async function runSuite(processes, mode, subject, set, name) {
  const what = [...subject, '--requirements', set];
  const how = ['--output-dir', 'results', '--timeout', String(scenarioWithinMs[mode])];
  const node = [installNode(suiteNode), '--import', patientServers];
  const started = processes.start(name, [...node, suite, mode, ...what, ...how]);
  // What it has not got to by then is missing, and that counts where it is a difference.
  await started.endOrKill(suiteWithinMs);
  const results = path.join(started.folder, 'results');
  if (!existsSync(results)) throw new Error(`${name} has no results; see ${started.folder}`);
  return readResults(results);
}

function readResults(folder) {
  // One folder for each scenario: [server-]<scenario>-<time>, where scenarios may have a slash
  return readdirSync(folder, { recursive: true }).flatMap((entry) => {
    const [, scenario] = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry) ?? [];
    return scenario === undefined ? [] : readChecks(path.join(folder, entry), scenario);
  });
}

function readChecks(folder, scenario) {
  const file = path.join(folder, 'checks.json');
  // A scenario that throws saves no checks; the suite counts it as failed.
  if (!existsSync(file)) return [{ scenario, id: scenario, name: scenario, status: 'FAILURE' }];
  const checks = JSON.parse(readFileSync(file, 'utf8'));
  const found = checks.map(({ id, name, status, errorMessage: message }) => {
    return { scenario, id, name, status, message };
  });
  return [...found, ...clientChecks(folder, scenario)];
}

/** The suite does not look at how a client ends: ours print this when nothing failed. */
function clientChecks(folder, scenario) {
  const output = path.join(folder, 'stdout.txt');
  if (!existsSync(output)) return [];
  const isDone = readFileSync(output, 'utf8').trim() === 'done';
  const message = isDone ? undefined : readFileSync(path.join(folder, 'stderr.txt'), 'utf8');
  const status = isDone ? 'SUCCESS' : 'FAILURE';
  return [{ scenario, id: 'client-is-done', name: 'ClientIsDone', status, message }];
}
