import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The way of somebody who has just installed the package and read nothing: `proctor init`, and then
 * whatever it says comes next, word for word.
 */
export function takeFirstSteps(folder) {
  const server = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const said = proctor(folder, ['init', '--server', `node ${server}`, '--agent', 'scripted']);
  const next = [...said.matchAll(/^ {2}npx proctor (.+)$/gm)].map(([, words]) => words.split(' '));
  const names = next.map(([command]) => command).join(', ');
  if (names !== 'check, view, report') throw new Error(`what comes next is not told: ${said}`);
  const [check, view, report] = next.map((words) => proctor(folder, words));
  expect(check, /(\d+): \1 passed/, 'check does not say that all passed');
  expect(view, /echo/, 'view does not tell what happened');
  expect(report, /\.html/, 'report does not say where it is');
  const page = readdirSync(folder).find((name) => name.endsWith('.html'));
  if (page === undefined || !existsSync(path.join(folder, page))) throw new Error('no report');
}

function proctor(folder, words) {
  return execFileSync('npm', ['exec', '--no', '--', 'proctor', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function expect(text, pattern, complaint) {
  if (!pattern.test(text)) throw new Error(`${complaint}: ${text}`);
}
