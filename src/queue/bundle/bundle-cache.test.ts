import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree, type Tree, temporaryFolder, writeTree } from '../../../testing/file-tree.js';
import { MemoryBlobStore } from '../../../testing/memory-blob-store.js';
import { getStartTime } from '../../base/processes/process-identity.js';
import { BundleCache, KeptBundles } from './bundle-cache.js';
import { BundleCacheError } from './bundle-errors.js';
import { sha256Of } from './manifest.js';
import { packBundle } from './pack-bundle.js';
import { sendBundle } from './send-bundle.js';

const tree: Tree = {
  'eval.yaml': 'x',
  'run.sh': { program: 'y' },
  'a/link': { link: '../run.sh' },
};

async function stored(files: Tree = tree, store = new MemoryBlobStore()) {
  const root = await temporaryFolder();
  await writeTree(root, files);
  const bundle = await packBundle({ root, reached: [] });
  await sendBundle(bundle, store);
  return { id: bundle.id, store };
}

/** A process that is there until the test is over, and one that is gone. */
async function processes() {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  return { running: process.ppid, gone: gone.pid ?? 0 };
}

function markOf(pid: number, startTime = getStartTime(pid)): string {
  const started = sha256Of(startTime ?? 'gone').slice(0, 16);
  return `${pid}.${started}.00000000-0000-4000-8000-000000000000`;
}

const copies = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^[0-9a-f]{32}-\d+$/.test(name)).sort();

describe('BundleCache', () => {
  it('unpacks a bundle that nobody is to change', async () => {
    const { id, store } = await stored();
    const { folder } = await new BundleCache(await temporaryFolder()).take(id, store);
    expect(await readTree(folder)).toEqual(tree);
    expect((await stat(join(folder, 'eval.yaml'))).mode & 0o222).toBe(0);
    expect((await stat(join(folder, 'run.sh'))).mode & 0o333).toBe(0o111);
  });

  it('fetches a bundle once', async () => {
    const { id, store } = await stored();
    const cache = await temporaryFolder();
    const first = await new BundleCache(cache).take(id, store);
    store.blobs.clear();
    const second = await new BundleCache(cache).take(id, store);
    expect(second.folder).toBe(first.folder);
  });

  it('gives the same folder to all who ask at once', async () => {
    const { id, store } = await stored();
    const folder = await temporaryFolder();
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => new BundleCache(folder).take(id, store)),
    );
    expect(new Set(taken.map((each) => each.folder)).size).toBe(1);
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  });

  it.each<[string, (folder: string) => Promise<void>]>([
    ['changed', (folder) => rewrite(join(folder, 'eval.yaml'), 'z')],
    ['longer', (folder) => rewrite(join(folder, 'eval.yaml'), 'xx')],
    ['gone', (folder) => rm(join(folder, 'eval.yaml'))],
    ['no program any more', (folder) => chmod(join(folder, 'run.sh'), 0o444)],
    ['a folder', (folder) => replace(join(folder, 'eval.yaml'), (path) => mkdir(path))],
    ['a link', (folder) => replace(join(folder, 'eval.yaml'), (path) => symlink('run.sh', path))],
    ['new', (folder) => writeFile(join(folder, 'a/task.yaml'), 'x')],
    ['a new folder', (folder) => mkdir(join(folder, 'b')).then(() => {})],
    [
      'another link',
      (folder) => replace(join(folder, 'a/link'), (path) => symlink('../eval.yaml', path)),
    ],
  ])('makes a bundle anew in which something is %s', async (_, change) => {
    const { id, store } = await stored();
    const cache = await temporaryFolder();
    const first = await new BundleCache(cache).take(id, store);
    await change(first.folder);
    const second = await new BundleCache(cache).take(id, store);
    expect(second.folder).not.toBe(first.folder);
    expect(await readTree(second.folder)).toEqual(tree);
    // The first is still in use, as it is.
    expect(await copies(cache)).toHaveLength(2);
    await first.release();
    const third = await new BundleCache(cache).take(id, store);
    expect(third.folder).toBe(second.folder);
    expect(await copies(cache)).toEqual([basename(second.folder)]);
  });

  it('keeps what is in use, and of the rest what was used last', async () => {
    const store = new MemoryBlobStore();
    const folder = await temporaryFolder();
    const cache = new BundleCache(folder, { maxBytes: 3000 });
    const bundle = (letter: string) => stored({ file: letter.repeat(1000) }, store);
    const take = async (letter: string, usedAt: number) => {
      const taken = await cache.take((await bundle(letter)).id, store);
      await utimes(taken.folder, usedAt, usedAt);
      return { ...taken, name: basename(taken.folder) };
    };
    const [a, b, c] = [await take('a', 1), await take('b', 2), await take('c', 3)];
    await b.release();
    await c.release();
    const d = await take('d', 4);
    expect(await copies(folder)).toEqual([a.name, c.name, d.name].sort());
    // All of them are in use: nothing can go.
    const again = await take('c', 5);
    const e = await take('e', 6);
    expect(await copies(folder)).toEqual([a.name, again.name, d.name, e.name].sort());
  });

  it('counts no use by processes that are gone', async () => {
    const { running, gone } = await processes();
    const folder = await temporaryFolder();
    const kept = new KeptBundles(folder);
    const name = `${'0'.repeat(32)}-1`;
    await mkdir(join(folder, 'in-use'));
    await mkdir(join(folder, 'unfinished'));
    await mkdir(join(folder, name));
    // A process can have the number of an earlier one.
    for (const mark of [markOf(running), markOf(gone), markOf(running, 'earlier')]) {
      await writeFile(join(folder, 'in-use', `${name}.use.${mark}`), '');
      await mkdir(join(folder, 'unfinished', mark));
    }
    expect(await kept.remove(name)).toBe(false);
    await kept.removeAbandonedDrafts();
    expect(await readdir(join(folder, 'unfinished'))).toEqual([markOf(running)]);
    await rm(join(folder, 'in-use', `${name}.use.${markOf(running)}`));
    expect(await kept.remove(name)).toBe(true);
    expect(await readdir(join(folder, 'in-use'))).toEqual([]);
  });

  it('leaves alone what somebody is about to remove', async () => {
    const { running, gone } = await processes();
    const { id, store } = await stored();
    const folder = await temporaryFolder();
    const first = await new BundleCache(folder).take(id, store);
    await first.release();
    const mark = join(folder, 'in-use', `${basename(first.folder)}.removal.`);
    await writeFile(mark + markOf(gone), '');
    const second = await new BundleCache(folder).take(id, store);
    expect(second.folder).toBe(first.folder);
    await writeFile(mark + markOf(running), '');
    const third = await new BundleCache(folder).take(id, store);
    expect(third.folder).not.toBe(first.folder);
  });

  it('says what to do if nothing can be written', async () => {
    const { id, store } = await stored();
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const failure = await new BundleCache(file).take(id, store).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(BundleCacheError);
    expect((failure as BundleCacheError).hint).toContain('PROCTOR_CACHE_DIR');
  });

  it('lies in the cache folder of the user', async () => {
    const { id, store } = await stored();
    const PROCTOR_CACHE_DIR = await temporaryFolder();
    const { folder } = await (await BundleCache.open({ PROCTOR_CACHE_DIR })).take(id, store);
    expect(folder).toBe(join(PROCTOR_CACHE_DIR, 'proctor/bundles', `${id.slice(0, 32)}-1`));
  });
});

async function rewrite(path: string, text: string): Promise<void> {
  await chmod(path, 0o600);
  await writeFile(path, '');
  await appendFile(path, text);
}

async function replace(path: string, make: (path: string) => Promise<unknown>): Promise<void> {
  await rm(path);
  await make(path);
}
