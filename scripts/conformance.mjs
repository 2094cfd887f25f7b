/**
 * Runs the official conformance suite
 * - against servers, directly and through `proctor proxy`, and wants the same result of every check:
 *   the proxy must not be noticed;
 * - against Proctor's own MCP client and `proctor bridge`, and wants every scenario to pass but those
 *   that are listed with a reason.
 *
 * node scripts/conformance.mjs [--proctor FILE]   another program with both commands
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  buildClientProgram,
  clients,
  judgeClient,
  runClient,
  unusedFailures,
} from './conformance/clients.mjs';
import { compare, unusedExceptions } from './conformance/compare.mjs';
import { ProcessGroups } from './conformance/process-groups.mjs';
import { startProxy } from './conformance/proxy.mjs';
import { servers } from './conformance/servers.mjs';
import { runSuite } from './conformance/suite.mjs';
import { clientTable, countPassed, serverTable } from './conformance/summary.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { proctor: { type: 'string' } } });
const proctor = path.resolve(values.proctor ?? path.join(root, 'dist', 'proctor.cjs'));

const folder = mkdtempSync(path.join(tmpdir(), 'proctor-conformance-'));
const processes = new ProcessGroups(folder);
const rows = [];
const clientRows = [];
const problems = [];
const usedExceptions = [];
const usedFailures = [];

for (const server of servers) {
  for (const [set, atLeast] of Object.entries(server.atLeast)) {
    console.log(`${server.name}, ${set}`);
    const directly = await runDirectly(server, set);
    const proxied = await runThroughProxy(server, set);
    const { differences, excused } = compare({ server: server.name, set, directly, proxied });
    rows.push({ server: server.name, set, directly, proxied, differences: differences.length });

    for (const { text, exception } of excused) {
      console.log(`  allowed: ${text}\n    ${exception.reason}`);
      usedExceptions.push(exception);
    }
    for (const { text, messages } of differences) {
      problems.push([`${server.name}: ${text}`, ...messages].join('\n    '));
    }
    const passed = countPassed(directly);
    if (passed < atLeast) {
      problems.push(`${server.name}: ${set}: ${passed} checks pass directly, not ${atLeast}`);
    }
  }
}
problems.push(...unusedExceptions(usedExceptions));

const clientProgram = await buildClientProgram();
for (const client of clients) {
  for (const [set, atLeast] of Object.entries(client.atLeast)) {
    console.log(`${client.name} client, ${set}`);
    const checks = await runClient(processes, client, set, clientProgram, proctor);
    const judged = judgeClient(client, set, checks);
    clientRows.push({ client: client.name, set, checks, expected: judged.expected.length });
    for (const { reason } of new Set(judged.expected)) console.log(`  expected to fail: ${reason}`);
    usedFailures.push(...judged.expected);
    problems.push(...judged.problems.map((text) => `${client.name} client: ${text}`));
    const passed = countPassed(checks);
    if (passed < atLeast) {
      problems.push(`${client.name} client: ${set}: ${passed} checks pass, not ${atLeast}`);
    }
  }
}
problems.push(...unusedFailures(usedFailures));

console.log(`\n${serverTable(rows)}\n\n${clientTable(clientRows)}`);
if (problems.length === 0) {
  rmSync(folder, { recursive: true });
} else {
  console.error(`\n${problems.join('\n')}\n\nWhat the programs printed is in ${folder}`);
  process.exitCode = 1;
}

async function runDirectly(server, set) {
  const name = `${server.name}-${set}-directly`;
  const running = await server.start(processes, name);
  try {
    return await runSuite(processes, 'server', ['--url', running.url], set, `${name}-suite`);
  } finally {
    await running.process.stop('SIGTERM');
  }
}

/** With a server of its own, so that nothing is left from the other run. */
async function runThroughProxy(server, set) {
  const name = `${server.name}-${set}-proxied`;
  const running = await server.start(processes, name);
  try {
    const proxy = await startProxy(processes, proctor, running.url, `${name}-proxy`);
    try {
      return await runSuite(processes, 'server', ['--url', proxy.url], set, `${name}-suite`);
    } finally {
      await proxy.process.stop('SIGINT');
    }
  } finally {
    await running.process.stop('SIGTERM');
  }
}
