/** Other Node versions, from npm into .cache/. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
}

/** The path of that Node's program, installed first if it is not there yet. */
export function installNode(version) {
  const folder = path.join(root, '.cache', `node-${version.split('.')[0]}`);
  const node = path.join(folder, 'node_modules', 'node', 'bin', 'node');
  if (versionOf(node) === `v${version}`) return node;
  mkdirSync(folder, { recursive: true });
  const { error } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', `node@${version}`],
    { cwd: root, stdio: 'inherit' },
  );
  if (error !== undefined) throw error;
  const installed = versionOf(node);
  if (installed !== `v${version}`) {
    throw new Error(`${node} should be Node ${version} and is ${installed ?? 'not there'}`);
  }
  return node;
}
