/**
 * Makes sure that there is a redis-server for tests and benchmarks that need one. Where the machine has
 * none, the program comes from Debian's redis-tools: the package redis-server only adds its name and a
 * service, which nobody wants to have running here.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..', '.cache', 'redis');
const installed = path.join(folder, 'redis-server');
/** What the program is called in redis-tools. Under another name it is the server. */
const nameInPackage = 'usr/bin/redis-check-rdb';
const packageName = 'redis-tools';

const program = process.env.PROCTOR_REDIS_SERVER ?? 'redis-server';
if (!isServer(program) && !isServer(installed)) install();

function isServer(file) {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return /server v=/.test(stdout ?? '');
}

function install() {
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    if (process.getuid?.() === 0) installForAll();
    else unpackBeside();
    if (!isServer(installed)) throw new Error(`${packageName} holds no server that runs here`);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    console.error(`error: there is no redis-server here, and it could not be installed`);
    console.error(`  ${error.message}`);
    console.error(
      '  Install Redis 6.2 or newer so that redis-server is found on PATH, or name the',
    );
    console.error('  program in PROCTOR_REDIS_SERVER.');
    process.exit(1);
  }
}

function installForAll() {
  const commandLine = ['install', '--yes', '--no-install-recommends', packageName];
  if (!tryToRun('apt-get', commandLine)) {
    // The lists of packages may be old, or not there at all.
    run('apt-get', ['update']);
    run('apt-get', commandLine);
  }
  symlinkSync(`/${nameInPackage}`, installed);
}

/** Without the right to install anything: what is missing, and the libraries that it needs. */
function unpackBeside() {
  const simulated = run('apt-get', [
    'install',
    '--simulate',
    '--no-install-recommends',
    packageName,
  ]);
  const missing = [...simulated.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name);
  const packages = missing.includes(packageName) ? missing : [...missing, packageName];
  const downloads = mkdtempSync(path.join(folder, 'packages-'));
  run('apt-get', ['download', ...packages], downloads);
  for (const file of readdirSync(downloads)) run('dpkg', ['-x', file, folder], downloads);
  rmSync(downloads, { recursive: true });
  const script = [
    '#!/bin/bash',
    `libraries=$(printf '%s:' ${quoted(folder)}/usr/lib/*-linux-*/)`,
    'export LD_LIBRARY_PATH="$libraries$LD_LIBRARY_PATH"',
    `exec -a redis-server ${quoted(path.join(folder, nameInPackage))} "$@"`,
    '',
  ];
  writeFileSync(installed, script.join('\n'), { mode: 0o755 });
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function tryToRun(command, commandLine) {
  return start(command, commandLine).status === 0;
}

function run(command, commandLine, cwd) {
  const { status, stdout, stderr, error } = start(command, commandLine, cwd);
  if (error !== undefined) throw error;
  if (status === 0) return stdout;
  throw new Error(
    `${command} ${commandLine.join(' ')} ended with code ${status}: ${stderr.trim()}`,
  );
}

function start(command, commandLine, cwd) {
  console.log(`${command} ${commandLine.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  return spawnSync(command, commandLine, { cwd, env, encoding: 'utf8' });
}
