import { execFileSync } from 'node:child_process';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Tree, temporaryFolder, writeTree } from '../../../testing/file-tree.js';
import { Problems } from '../../config/problems/problem.js';
import { makePlan } from '../../plan/plan.js';
import { loadSuite } from '../../plan/suite.js';
import {
  BundleTooLargeError,
  IgnoreFileError,
  LeftOutOfBundleError,
  NoBundleRootError,
  OutsideOfBundleError,
  UnreadableBundleFileError,
} from './bundle-errors.js';
import { listReachedPaths, type PackOptions, packBundle } from './pack-bundle.js';

async function packed(tree: Tree, options: Partial<PackOptions> = {}) {
  const root = await realpath(await temporaryFolder());
  await writeTree(root, tree);
  return { root, bundle: await packBundle({ root, reached: [], ...options }) };
}

async function pathsOf(tree: Tree, options: Partial<PackOptions> = {}): Promise<string[]> {
  const { bundle } = await packed(tree, options);
  return bundle.manifest.entries.map(({ path }) => path);
}

async function reasonsOf(tree: Tree): Promise<Record<string, string>> {
  const { bundle } = await packed(tree);
  return Object.fromEntries(bundle.leftOut.map(({ path, reason }) => [path, reason]));
}

const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n';
const certificate = '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n';

describe('packBundle', () => {
  it('takes every file below the root', async () => {
    const tree = { 'eval.yaml': 'x', 'node_modules/a/index.js': 'y', '.hidden/b': '', 'd/e/f': '' };
    expect(await pathsOf(tree)).toEqual(Object.keys(tree).sort());
  });

  it('has the same id for the same content, wherever it is', async () => {
    const tree: Tree = { b: 'x', a: { program: 'y' }, c: { link: 'a' }, e: { folder: true } };
    const [one, two] = [await packed(tree), await packed(tree)];
    expect(one.root).not.toBe(two.root);
    expect(one.bundle.id).toBe(two.bundle.id);
  });

  it.each<[string, Tree]>([
    ['content', { a: 'y', b: 'x' }],
    ['name', { c: 'x', b: 'x' }],
    ['right to run', { a: { program: 'x' }, b: 'x' }],
    ['link', { a: 'x', b: { link: 'a' } }],
  ])('has another id with another %s', async (_, tree) => {
    const before = await packed({ a: 'x', b: 'x' });
    expect((await packed(tree)).bundle.id).not.toBe(before.bundle.id);
  });

  it('leaves out secrets, versions and what earlier checks wrote', async () => {
    const results = '{\n"schema":"mcp-proctor/results/v1","taskRuns":[]}';
    const journal = '{"type":"run-started","schema":"mcp-proctor/journal/v1"}\n';
    const stays: Tree = {
      ...{ '.env': 'KEY=1', 'a/.env.local': 'KEY=1', '.npmrc': 'x', '.git/config': 'x' },
      ...{ 'b/id_rsa': 'x', 'tls/server.pem': `${certificate}${key}`, 'tls/any-name': key },
      ...{ 'proctor-suite-out.json': '{}', 'proctor-suite-out.jsonl': '', 'x.json': results },
      ...{ 'x.jsonl': journal, 'x.files/a.txt': 'output', 'x.jsonl.lock': '{}' },
    };
    const travels = {
      ...{ 'tls/ca.pem': certificate, 'id_rsa.pub': 'x', 'environment.ts': 'x', 'y.files/z': 'x' },
      ...{ 'manual.md': `An example:\n\n${key}`, 'read.ts': '"mcp-proctor/results/v1"' },
    };
    const { bundle } = await packed({ ...stays, ...travels });
    const files = bundle.manifest.files.map(({ path }) => path);
    expect(files).toEqual(Object.keys(travels).sort());
    expect(bundle.leftOut.map(({ path }) => path).sort()).toEqual(
      [
        ...Object.keys(stays).filter((path) => !/^(\.git|x\.files)\//.test(path)),
        '.git',
        'x.files',
      ].sort(),
    );
  });

  it('lets secrets travel only if a line names them', async () => {
    const secrets = { '.env': 'KEY=1', 'tls/test.key': key, 'tls/other.key': key };
    const names = (lines: string) => pathsOf({ ...secrets, '.proctorignore': lines });
    expect(await names('!*\n!tls/*')).toEqual(['.proctorignore']);
    expect(await names('!tls/test.key')).toEqual(['.proctorignore', 'tls/test.key']);
    expect(await names('!.env')).toEqual(['.env', '.proctorignore']);
  });

  it('leaves out what .proctorignore says', async () => {
    const tree = {
      '.proctorignore': '# large\n*.mp4\n/build/\nlogs\n!keep.mp4\nfixtures/**/tmp\n\n',
      ...{ 'a.mp4': '', 'x/b.mp4': '', 'x/.c.mp4': '', 'x/keep.mp4': '' },
      ...{ 'build/a': '', 'x/build/a': '', 'x/logs/a': '', logs: '' },
      ...{ 'fixtures/tmp/a': '', 'fixtures/x/tmp': '', 'fixtures/x/tmpx': '' },
    };
    const found = await pathsOf(tree);
    expect(found).toEqual(['.proctorignore', 'fixtures/x/tmpx', 'x/build/a', 'x/keep.mp4']);
    expect(await reasonsOf(tree)).toMatchObject({ build: '.proctorignore leaves it out' });
  });

  it('says where .proctorignore is wrong', async () => {
    const tree = { '.proctorignore': 'good\n/x/[a\n!{b\n../c\n/' };
    const failure = await packed(tree).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(IgnoreFileError);
    const places = (failure as Error).message.split('\n').map((line) => line.replace(/^.*\//, ''));
    expect(places).toEqual([
      '.proctorignore:2:4: [ is never closed',
      '.proctorignore:3:2: { is never closed',
      '.proctorignore:4:1: a path is one below this folder, without . and .. in it',
      '.proctorignore:5:1: it names no file',
    ]);
  });

  it('leaves out what this check writes', async () => {
    const root = await temporaryFolder();
    await writeTree(root, { 'eval.yaml': 'x', 'report.html': 'x', 'kept/a': 'x' });
    const outputs = [join(root, 'report.html'), join(root, 'kept'), '/elsewhere/x'];
    const bundle = await packBundle({ root, reached: [], outputs });
    expect(bundle.manifest.entries.map(({ path }) => path)).toEqual(['eval.yaml']);
  });

  it('says which file cannot be read', async () => {
    const packing = packed({ '.proctorignore/x': '' });
    await expect(packing).rejects.toThrow(UnreadableBundleFileError);
    await expect(packing).rejects.toThrow('.proctorignore cannot be read');
  });

  it('needs a folder for its root', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { file: 'x' });
    for (const name of ['file', 'nothing']) {
      const packing = packBundle({ root: join(folder, name), reached: [] });
      await expect(packing).rejects.toThrow(NoBundleRootError);
    }
  });

  it('leaves out what is neither file, folder nor link', async () => {
    const root = await temporaryFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const bundle = await packBundle({ root, reached: [] });
    expect(bundle.leftOut).toMatchObject([{ path: 'pipe', reason: 'it is not a regular file' }]);
  });

  it('has links that stay inside, and leads them straight to what they mean', async () => {
    const root = await realpath(await temporaryFolder());
    await writeTree(root, { 'a/b/file': 'x', 'a/one': { link: 'b/../b/file' } });
    await writeTree(root, { 'a/two': { link: 'one' }, 'a/b/root': { link: '../..' } });
    await symlink(join(root, 'a'), join(root, 'absolute'));
    await writeTree(root, {
      out: { link: '/etc/hostname' },
      up: { link: '..' },
      no: { link: 'x' },
    });
    const bundle = await packBundle({ root, reached: [] });
    expect(bundle.manifest.links).toEqual([
      { path: 'a/b/root', link: '../..' },
      { path: 'a/one', link: 'b/file' },
      { path: 'a/two', link: 'b/file' },
      { path: 'absolute', link: 'a' },
    ]);
    expect(bundle.leftOut.map(({ path }) => path).sort()).toEqual(['no', 'out', 'up']);
  });
});

describe('what the suite is known to use', () => {
  async function packedWith(tree: Tree, reached: string[]) {
    const folder = await realpath(await temporaryFolder());
    await writeTree(folder, { 'suite/eval.yaml': 'x', ...tree });
    const root = join(folder, 'suite');
    return packBundle({ root, reached: reached.map((path) => join(root, path)) });
  }
  const failureOf = (tree: Tree, reached: string[]) =>
    packedWith(tree, reached).then(
      () => undefined,
      (error: Error & { hint: string }) => error,
    );

  it.each<[string, Tree, string]>([
    ['a file outside', { 'agent.yaml': 'x' }, '../agent.yaml'],
    ['a folder of a similar name', { 'suite-2/agent.yaml': 'x' }, '../suite-2/agent.yaml'],
    ['a file that is nowhere', {}, '../agent.yaml'],
    ['a link to outside', { 'a.yaml': 'x', 'suite/a.yaml': { link: '../a.yaml' } }, 'a.yaml'],
    ['a file behind a link to outside', { 'd/a': 'x', 'suite/d': { link: '../d' } }, 'd/a'],
  ])('is refused if it is %s', async (_, tree, reached) => {
    const failure = await failureOf(tree, ['eval.yaml', reached]);
    expect(failure).toBeInstanceOf(OutsideOfBundleError);
    expect(failure?.message).toContain(reached.replace('../', ''));
    expect(failure?.hint).toContain('--bundle-root');
  });

  it.each<[string, Tree, string, string]>([
    [
      '.proctorignore leaves it out',
      { 'suite/.proctorignore': 'tasks/' },
      'tasks/a',
      'change .pro',
    ],
    ['a file of that name holds secrets', {}, '.env', '!/.env'],
    ['it holds a private key', { 'suite/tls/x': key }, 'tls/x', '!/tls/x'],
    ['a file of that name holds secrets', { 'suite/to': { link: '.env' } }, 'to', '!/.env'],
  ])('is refused if %s', async (reason, tree, reached, hint) => {
    const files = { 'suite/tasks/a': 'x', 'suite/.env': 'x' };
    const failure = await failureOf({ ...files, ...tree }, [reached]);
    expect(failure).toBeInstanceOf(LeftOutOfBundleError);
    expect(failure?.message).toContain(reason);
    expect(failure?.hint).toContain(hint);
  });

  it('is found through links, and may be missing below the root', async () => {
    const tree: Tree = {
      'suite/real/a': 'x',
      'suite/real/up': { link: '..' },
      'suite/l': { link: 'real' },
    };
    const reached = ['l/a', 'l/up/eval.yaml', 'real/../eval.yaml', '{{name}}/x.sh'];
    const bundle = await packedWith(tree, reached);
    expect(await bundle.placeOf(join(bundle.root, 'l/a'))).toBe('l/a');
    expect(await bundle.placeOf('/elsewhere')).toBeUndefined();
  });

  it('is found if the root was named through a link', async () => {
    const folder = await realpath(await temporaryFolder());
    await writeTree(folder, { 'suite/eval.yaml': 'x', link: { link: 'suite' } });
    const reached = [join(folder, 'suite/eval.yaml'), join(folder, 'link/eval.yaml')];
    for (const root of [join(folder, 'link'), join(folder, 'suite')]) {
      const bundle = await packBundle({ root, reached });
      const places = await Promise.all(reached.map((path) => bundle.placeOf(path)));
      expect(places).toEqual(['eval.yaml', 'eval.yaml']);
    }
  });
});

describe('a bundle that is too large', () => {
  it('is refused with what takes up most', async () => {
    const tree = {
      'eval.yaml': 'x',
      'media/big/video': 'v'.repeat(5000),
      'other/a': 'x'.repeat(2000),
    };
    const failure = await packed(tree, { maxBytes: 4096 }).catch(
      (error: BundleTooLargeError) => error,
    );
    expect(failure).toBeInstanceOf(BundleTooLargeError);
    const { message, hint } = failure as BundleTooLargeError;
    expect(message.split('\n').map((line) => line.replace(/^\/\S+/, 'ROOT'))).toEqual([
      'ROOT is too large to send to workers: 7 KB, at most 4 KB',
      '  media/big/video (5 KB)',
      '  other/a (2 KB)',
      '  eval.yaml (1 bytes)',
    ]);
    expect(hint).toContain('--bundle-max-size');
  });

  it('is not refused for what is left out', async () => {
    const tree = { '.proctorignore': 'video', video: 'v'.repeat(5000), 'a.txt': 'x' };
    expect(await pathsOf(tree, { maxBytes: 4096 })).toEqual(['.proctorignore', 'a.txt']);
  });

  it('is refused if it has too many files', async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, 'many/few'), { recursive: true });
    for (let count = 0; count <= 20_000; count += 500) {
      const names = Array.from({ length: 500 }, (_, index) =>
        join(root, 'many', `${count + index}`),
      );
      await Promise.all(names.map((name) => writeFile(name, '')));
    }
    const failure = await packBundle({ root, reached: [] }).catch((error: Error) => error);
    expect((failure as Error).message).toMatch(
      /20501 files, at most 20000\n {2}many\/ \(20501 files\)/,
    );
  });
});

it('listReachedPaths has every file that a suite is known to use, wherever it is', async () => {
  const folder = await realpath(await temporaryFolder());
  const builtin = { type: 'claude-code' };
  const files = {
    'agents/claude.yaml': { kind: 'Agent', builtin },
    'prices.yaml': { kind: 'Prices', models: {} },
    'suite/eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'suite' },
      config: {
        agent: { type: 'file', path: '../agents/claude.yaml' },
        mcpConfigFile: 'mcp.yaml',
        prices: '../prices.yaml',
        taskSets: [{ glob: 'tasks/*.yaml' }],
      },
    },
    'suite/mcp.yaml': { mcpServers: { one: { command: 'x', enableAllTools: true } } },
    'suite/tasks/one.yaml': {
      kind: 'Task',
      metadata: { name: 'one' },
      steps: { prompt: { file: 'prompt.md' }, verify: { file: '../verify.sh' } },
    },
  };
  const texts = Object.entries(files).map(([path, data]) => [path, JSON.stringify(data)]);
  await writeTree(folder, Object.fromEntries(texts));
  await writeTree(folder, { 'suite/tasks/prompt.md': 'Do it.', 'suite/verify.sh': 'true' });
  const problems = new Problems();
  const suite = loadSuite(join(folder, 'suite/eval.yaml'), { environment: {} }, problems);
  if (!suite) throw new Error('the suite cannot be read');
  const paths = listReachedPaths([suite], makePlan(suite, {}, problems), {});
  const expected = [...Object.keys(files), 'suite/tasks/prompt.md', 'suite/verify.sh'];
  expect(paths.sort()).toEqual(expected.map((path) => join(folder, path)).sort());
});
