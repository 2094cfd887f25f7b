import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proctorProgram, runProctor, testNode } from '../support/proctor-process.js';

const isRoot = process.getuid?.() === 0;
const redactedText = path.join(path.dirname(proctorProgram), 'chunks', 'redacted-text.cjs');

let folder: string;
let cacheHome: string;
let proctorCache: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-launcher-'));
  cacheHome = path.join(folder, 'cache');
  proctorCache = path.join(cacheHome, 'mcp-proctor');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The built launcher in front of chunks that a test wrote itself. */
async function launcherOver(chunks: Record<string, string>): Promise<string> {
  const program = path.join(folder, 'dist', 'proctor.cjs');
  await cp(proctorProgram, program);
  await mkdir(path.join(folder, 'dist', 'chunks'), { recursive: true });
  for (const [name, source] of Object.entries(chunks)) {
    await writeFile(path.join(folder, 'dist', 'chunks', name), source);
  }
  return program;
}

/** A program in two chunks, the second loaded lazily, that behaves like a small command. */
const twoChunks = {
  'main.cjs':
    'exports.main = async (commandLine) =>\n' +
    "  (await Promise.resolve().then(() => require('./command.cjs'))).run(commandLine);\n",
  'command.cjs':
    "const { sep } = require('node:path');\n" +
    'exports.run = (commandLine) => {\n' +
    "  process.stdout.write(commandLine.join(sep) + '\\n');\n" +
    '  return 1;\n' +
    '};\n',
};

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { HOME: folder, XDG_CACHE_HOME: cacheHome, PROCTOR_DEBUG_CODE_CACHE: '1', ...more };
}

/** What the launcher reports of its cache, with the folder's name left out. */
function cacheReport(stderr: string): string[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('code cache: ') && !line.startsWith('code cache: in '))
    .map((line) => line.slice('code cache: '.length));
}

async function runTwoChunks(more: Record<string, string> = {}) {
  const program = await launcherOver(twoChunks);
  const result = await runProctor(['a', 'b'], { program, env: environment(more) });
  expect(result).toMatchObject({ exitCode: 1, stdout: 'a/b\n' });
  return cacheReport(result.stderr);
}

async function cacheFiles(): Promise<string[]> {
  const [build] = await readdir(proctorCache);
  const buildFolder = path.join(proctorCache, build ?? '');
  return (await readdir(buildFolder)).map((name) => path.join(buildFolder, name));
}

describe('--version', () => {
  it.each(['--version', '-V'])('%s prints the version of package.json', async (option) => {
    const packageFile = path.resolve(import.meta.dirname, '../../package.json');
    const { version } = JSON.parse(await readFile(packageFile, 'utf8'));
    const result = await runProctor([option], { env: environment() });
    expect(result).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('loads no chunk', async () => {
    const program = await launcherOver({});
    expect(await runProctor(['--version'], { program })).toMatchObject({ exitCode: 0 });
  });

  it('is left to the program when it is not alone', async () => {
    const program = await launcherOver(twoChunks);
    const result = await runProctor(['--version', 'x'], { program, env: environment() });
    expect(result).toMatchObject({ exitCode: 1, stdout: '--version/x\n' });
  });
});

describe('code cache', () => {
  const missing = ['main.cjs missing', 'command.cjs missing'];
  const used = ['main.cjs used', 'command.cjs used'];
  const rejected = ['main.cjs rejected', 'command.cjs rejected'];

  it('is written by the first run and used by the second', async () => {
    expect(await runTwoChunks()).toEqual(missing);
    expect(await runTwoChunks()).toEqual(used);
  });

  it('works for the real program', async () => {
    const first = await runProctor(['--help'], { env: environment() });
    const second = await runProctor(['--help'], { env: environment() });
    expect(first.exitCode).toBe(0);
    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(cacheReport(first.stderr)).toContain('main.cjs missing');
    expect(cacheReport(second.stderr)).toContain('main.cjs used');
  });

  it('is for chunks in ASCII, as the launcher reads them', async () => {
    const chunkFolder = path.join(path.dirname(proctorProgram), 'chunks');
    for (const name of await readdir(chunkFolder)) {
      const source = await readFile(path.join(chunkFolder, name), 'utf8');
      expect(source.match(/[\u0080-\uffff].*/), name).toBeNull();
    }
  });

  it('is private', async () => {
    await runTwoChunks();
    const [file] = await cacheFiles();
    expect((await stat(proctorCache)).mode & 0o777).toBe(0o700);
    expect((await stat(path.dirname(file ?? ''))).mode & 0o777).toBe(0o700);
    expect((await stat(file ?? '')).mode & 0o777).toBe(0o600);
  });

  it('is in ~/.cache without XDG_CACHE_HOME', async () => {
    await runTwoChunks({ XDG_CACHE_HOME: '' });
    const expected = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
    expect(await readdir(path.join(folder, expected))).toEqual(['mcp-proctor']);
  });

  it('leaves no temporary files', async () => {
    await runTwoChunks();
    expect((await cacheFiles()).filter((file) => !file.endsWith('.code'))).toEqual([]);
  });

  it('is switched off by PROCTOR_NO_CODE_CACHE', async () => {
    const report = await runTwoChunks({ PROCTOR_NO_CODE_CACHE: '1' });
    expect(report).toEqual(['switched off by PROCTOR_NO_CODE_CACHE']);
    await expect(readdir(cacheHome)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['garbage', (code: Buffer) => Buffer.alloc(code.length, 'garbage')],
    ['an empty file', () => Buffer.alloc(0)],
    ['a file cut short', (code: Buffer) => code.subarray(0, code.length >> 1)],
    ['one flipped bit', (code: Buffer) => flipBit(code, code.length >> 1)],
  ])('does without %s, and writes it anew', async (_, damage) => {
    await runTwoChunks();
    for (const file of await cacheFiles()) await writeFile(file, damage(await readFile(file)));
    expect(await runTwoChunks()).toEqual(rejected);
    expect(await runTwoChunks()).toEqual(used);
  });

  it('does without code that was compiled under other V8 flags', async () => {
    await runTwoChunks();
    expect(await runTwoChunks({ NODE_OPTIONS: '--interpreted-frames-native-stack' })).toEqual(
      rejected,
    );
  });

  it('does not use what others could have written', async () => {
    await runTwoChunks();
    for (const file of await cacheFiles()) await chmod(file, 0o666);
    expect(await runTwoChunks()).toEqual(rejected);
  });

  describe('stays away from a folder', () => {
    const noFolder = ['no private folder to keep it in'];

    it('that others can write to', async () => {
      await mkdir(proctorCache, { recursive: true });
      await chmod(proctorCache, 0o777);
      expect(await runTwoChunks()).toEqual(noFolder);
      await chmod(proctorCache, 0o770);
      expect(await runTwoChunks()).toEqual(noFolder);
    });

    it('that is a symbolic link', async () => {
      await runTwoChunks();
      await rename(proctorCache, path.join(folder, 'elsewhere'));
      await symlink(path.join(folder, 'elsewhere'), proctorCache);
      expect(await runTwoChunks()).toEqual(noFolder);
    });

    it('that cannot be made', async () => {
      await writeFile(path.join(folder, 'file'), '');
      const report = await runTwoChunks({ XDG_CACHE_HOME: path.join(folder, 'file', 'cache') });
      expect(report).toEqual(noFolder);
    });

    // Nothing is read-only to root, and nobody else can give a folder away: each takes its own way.
    it('in a folder that we may not write', async () => {
      await mkdir(cacheHome);
      if (isRoot) await chown(cacheHome, 12345, 12345);
      else await chmod(cacheHome, 0o500);
      expect(await runTwoChunks()).toEqual(noFolder);
      expect(await readdir(cacheHome)).toEqual([]);
    });

    it('that somebody else may have written', async () => {
      await runTwoChunks();
      if (isRoot) await chown(proctorCache, 12345, 12345);
      else await chmod(proctorCache, 0o777);
      expect(await runTwoChunks()).toEqual(noFolder);
    });
  });

  it('keeps the newest folders only', async () => {
    await runTwoChunks();
    const [current] = await readdir(proctorCache);
    const older = Array.from({ length: 8 }, (_, index) => `0.0.${index}-v20.19.0-x64-0`);
    for (const name of older) await mkdir(path.join(proctorCache, name));
    await rm(path.join(proctorCache, current ?? ''), { recursive: true });
    await runTwoChunks();
    const left = await readdir(proctorCache);
    expect(left).toHaveLength(5);
    expect(left).toContain(current);
  });

  it('lets chunks require each other in a circle', async () => {
    const program = await launcherOver({
      'main.cjs': "exports.two = () => 2; exports.main = async () => require('./other.cjs').sum();",
      'other.cjs': "const main = require('./main.cjs'); exports.sum = () => main.two() + 1;",
    });
    expect(await runProctor([], { program, env: environment() })).toMatchObject({ exitCode: 3 });
  });
});

describe('an exception that escapes', () => {
  it.each([
    ['a rejection of main', "exports.main = async () => {\n\n  throw new Error('oops');\n};"],
    ['a throw while loading', "\n\nthrow new Error('oops');"],
    [
      'a throw in a timer',
      "exports.main = () => new Promise(() => setTimeout(() => {\n\nthrow new Error('oops') }));",
    ],
    [
      'a rejection nobody handles',
      "exports.main = () => new Promise(() => setTimeout(async () => {\n\nthrow new Error('oops') }));",
    ],
  ])('%s is a bug in Proctor, shown with file and line', async (_, source) => {
    const program = await launcherOver({ 'main.cjs': source });
    const chunk = path.join(path.dirname(program), 'chunks', 'main.cjs');
    // Twice: compiled, and from the cache.
    for (let run = 0; run < 2; run++) {
      const { exitCode, stdout, stderr } = await runProctor([], { program, env: environment() });
      expect({ exitCode, stdout }).toEqual({ exitCode: 70, stdout: '' });
      expect(stderr).toContain('proctor: internal error: oops\nThis is a bug in Proctor.');
      expect(stderr).toContain(`${chunk}:3:`);
    }
  });

  it('is shown without the secrets of the environment', async () => {
    const program = await launcherOver({
      'main.cjs': 'exports.main = async () => { throw new Error(`no ${process.env.DB_SECRET}`); }',
      'redacted-text.cjs': `module.exports = require(${JSON.stringify(redactedText)});`,
    });
    const env = { ...environment(), DB_SECRET: 'swordfish-123' };
    const { stderr } = await runProctor([], { program, env });
    expect(stderr).toContain('proctor: internal error: no [redacted:DB_SECRET]\n');
    expect(stderr).not.toContain('swordfish');
  });

  it('ends the process although something would keep it alive', async () => {
    const program = await launcherOver({
      'main.cjs':
        "exports.main = async () => { setInterval(() => {}, 1000); throw new Error('oops'); }",
    });
    expect(await runProctor([], { program, env: environment() })).toMatchObject({ exitCode: 70 });
  });

  it('is told from a main that never answers, which is no success either', async () => {
    const program = await launcherOver({
      'main.cjs': 'exports.main = () => new Promise(() => {})',
    });
    const { exitCode, stderr } = await runProctor([], { program, env: environment() });
    expect(exitCode).toBe(70);
    expect(stderr).toContain('internal error: the program ended before its work was done');
  });
});

describe('output', () => {
  const manyLines =
    'exports.main = async ([exitCode], { stdout }) => {\n' +
    "  for (let line = 0; line < 100_000; line++) stdout.write('line ' + line + '\\n');\n" +
    '  return Number(exitCode);\n' +
    '};\n';

  function pipedInto(reader: string, program: string, exitCode: string) {
    const script = `set -o pipefail; "$0" "$1" ${exitCode} | ${reader}`;
    return spawnSync('bash', ['-c', script, testNode, program], {
      env: { PATH: process.env.PATH, ...environment({ PROCTOR_DEBUG_CODE_CACHE: '' }) },
      encoding: 'utf8',
    });
  }

  it('fills a pipe many times over and reaches its reader completely', async () => {
    const program = await launcherOver({ 'main.cjs': manyLines });
    const result = pipedInto('tail -n 1', program, '0');
    expect(result).toMatchObject({ status: 0, stdout: 'line 99999\n', stderr: '' });
  });

  it('reaches the reader of a pipe that another program has made non-blocking', async () => {
    const program = await launcherOver({
      'main.cjs':
        "exports.main = async (_, io) => { io.stdout.write('line\\n'.repeat(1e6)); io.stdout.write('end\\n'); return 0; };",
    });
    // Killed, because a Node that ends in peace makes the pipe blocking again.
    const makeNonBlocking =
      "new (require('node:net').Socket)({ fd: 1 }); process.kill(process.pid, 'SIGKILL')";
    const script = `set -o pipefail; { "$0" -e "$2"; "$0" "$1" 0; } | wc -l`;
    const result = spawnSync('bash', ['-c', script, testNode, program, makeNonBlocking], {
      env: { PATH: process.env.PATH, ...environment({ PROCTOR_DEBUG_CODE_CACHE: '' }) },
      encoding: 'utf8',
    });
    expect(result.stdout.trim()).toBe('1000001');
    expect(result.status).toBe(0);
  });

  it.each(['0', '1'])(
    'whose reader leaves early is dropped, and the exit code stays %s',
    async (exitCode) => {
      const program = await launcherOver({ 'main.cjs': manyLines });
      const result = pipedInto('head -n 1', program, exitCode);
      expect(result).toMatchObject({ status: Number(exitCode), stdout: 'line 0\n', stderr: '' });
    },
  );

  it.runIf(process.platform === 'linux').each(['0', '--version'])(
    'that is lost is no success (%s)',
    async (argument) => {
      const program = await launcherOver({ 'main.cjs': manyLines });
      const fullDisk = await open('/dev/full', 'w');
      const result = spawnSync(testNode, [program, argument], {
        env: { PATH: process.env.PATH, ...environment({ PROCTOR_DEBUG_CODE_CACHE: '' }) },
        stdio: ['ignore', fullDisk.fd, 'pipe'],
        encoding: 'utf8',
      });
      await fullDisk.close();
      expect(result.status).toBe(2);
      expect(result.stderr).toMatch(/^proctor: cannot write to standard output: ENOSPC[^\n]*\n$/);
    },
  );
});

function flipBit(content: Buffer, at: number): Buffer {
  const flipped = Buffer.from(content);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
