import path from 'node:path';
import { rolldown } from 'rolldown';
import { runSuite } from './suite.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const source = path.join(import.meta.dirname, 'client-program.ts');

/**
 * What Proctor has of an MCP client, and how many checks of each requirement set have to pass: a
 * client that does nothing gets nothing wrong in some scenarios.
 */
export const clients = [
  { name: 'own', atLeast: { '2025-11-25': 20, '2026-07-28': 72 } },
  { name: 'bridge', atLeast: { '2025-11-25': 25, '2026-07-28': 72 } },
];

/** The scenarios that fail. Each has to, so that none stays here for longer than needed. */
const expectedFailures = [
  {
    clients: ['own', 'bridge'],
    scenarios: /^auth\//,
    reason:
      'Proctor has no OAuth: servers that want a token are given one in the headers of their configuration',
  },
  {
    clients: ['own'],
    scenarios: /^elicitation-sep1034-client-defaults$/,
    reason:
      'the scenario wants a form to be accepted; nobody is there to fill it in, so we decline',
  },
];

/** The program that the suite starts, in one file: it is started some sixty times for each client. */
export async function buildClientProgram() {
  const bundler = await rolldown({
    input: source,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  // Inside of the repository, where the packages are found that it needs.
  const folder = path.join(root, '.cache', 'conformance');
  const { output } = await bundler.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
  });
  await bundler.close();
  return path.join(folder, output[0].fileName);
}

export function runClient(processes, { name }, set, program, proctor) {
  const commandLine = [process.execPath, program, name, ...(name === 'bridge' ? [proctor] : [])];
  const command = commandLine.map(shellWord).join(' ');
  return runSuite(processes, 'client', ['--command', command], set, `client-${name}-${set}`);
}

/** Compares the scenarios that failed with those that are expected to. */
export function judgeClient({ name }, set, checks) {
  const problems = [];
  const expected = [];
  for (const scenario of new Set(checks.map((check) => check.scenario))) {
    const failed = checks.filter((check) => {
      return check.scenario === scenario && ['FAILURE', 'WARNING'].includes(check.status);
    });
    const failure = expectedFailures.find((each) => {
      return each.clients.includes(name) && each.scenarios.test(scenario);
    });
    if (failure && failed.length > 0) expected.push(failure);
    else if (failure) problems.push(`${set} / ${scenario}: is expected to fail, and passes`);
    else {
      problems.push(
        ...failed.map(({ id, message }) => `${set} / ${scenario} / ${id}: ${message ?? 'fails'}`),
      );
    }
  }
  return { problems, expected };
}

export function unusedFailures(used) {
  return expectedFailures
    .filter((failure) => !used.includes(failure))
    .map(({ scenarios }) => `${scenarios}: expected to fail, and there is no such scenario`);
}

function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
