import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTree, temporaryFolder, writeTree } from '../../../testing/file-tree.js';
import { MemoryBlobStore } from '../../../testing/memory-blob-store.js';
import { BundleCache } from './bundle-cache.js';
import { BundleGoneError, BundleRefusedError, DamagedBundleError } from './bundle-errors.js';
import { type BundleEntry, Manifest, pieceBytes, sha256Of } from './manifest.js';
import { unpackBundle } from './unpack-bundle.js';

const content = Buffer.from('evil');
const file = (path: string): BundleEntry => ({ path, size: 4, pieces: [sha256Of(content)] });
const link = (path: string, target: string): BundleEntry => ({ path, link: target });

/** A store that has whatever it is told to, under the right digest. */
function storeWith(entries: readonly BundleEntry[], text = new Manifest(entries).text) {
  const store = new MemoryBlobStore();
  const id = sha256Of(text);
  store.manifests.set(id, gzipSync(text));
  store.blobs.set(sha256Of(content), gzipSync(content));
  return { store, id };
}

/** A cache with a folder around it where nothing may appear. */
async function cacheInside() {
  const around = await temporaryFolder();
  const folder = join(around, 'a/b/cache');
  await mkdir(folder, { recursive: true });
  const outside = async () => {
    const found = await readTree(around);
    return Object.keys(found).filter((path) => !path.startsWith('a/b/cache'));
  };
  return { cache: new BundleCache(folder), folder, outside };
}

describe('a hostile bundle', () => {
  it.each<[string, BundleEntry[]]>([
    ['a path up', [file('../x')]],
    ['a path up inside', [file('a/../../x')]],
    ['an absolute path', [file('/tmp/x')]],
    ['no name', [file('')]],
    ['a dot', [file('./x')]],
    ['a NUL', [file('a\0b')]],
    ['a folder up', [{ path: '..', folder: true }]],
    ['a path twice', [file('a'), link('a', '.')]],
    ['a link up', [link('a', '..')]],
    ['a link up from a folder', [link('a/b', '../../x')]],
    ['a link up after a name', [link('deep/down', '..'), link('x', 'deep/down/..')]],
    ['an absolute link', [link('a', '/etc')]],
    ['an empty link', [link('a', '')]],
    ['a file below a link', [link('a', '.'), file('a/x')]],
    ['a file below a file', [file('a'), file('a/x')]],
    ['a folder below a link', [link('a', 'b'), { path: 'a/x/y', folder: true }]],
    ['a size that its pieces do not have', [{ path: 'a', size: 1, pieces: [] }]],
    ['fewer pieces than its size', [{ path: 'a', size: 9 * pieceBytes, pieces: [sha256Of('')] }]],
  ])('with %s is refused', async (_, entries) => {
    const { cache, outside } = await cacheInside();
    const { store, id } = storeWith(entries);
    await expect(cache.take(id, store)).rejects.toThrow(DamagedBundleError);
    expect(await outside()).toEqual([]);
  });

  it('writes nowhere else, whatever its paths and links are', async () => {
    const step = fc.constantFrom('..', '.', '', 'a', 'b', 'A', 'c');
    const steps = fc.array(step, { minLength: 1, maxLength: 4 }).map((each) => each.join('/'));
    const entry = fc.oneof(
      steps.map(file),
      fc.tuple(steps, steps).map(([path, target]) => link(path, target)),
      steps.map((path): BundleEntry => ({ path, folder: true })),
    );
    const accepted: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (entries) => {
        const { cache, folder, outside } = await cacheInside();
        const { store, id } = storeWith(entries);
        const taken = await cache.take(id, store).catch((error: Error) => {
          expect(error).toBeInstanceOf(DamagedBundleError);
        });
        if (taken) accepted.push(id);
        expect(await outside()).toEqual([]);
        expect(await readdir(folder)).toHaveLength(taken ? 3 : 0);
      }),
      { numRuns: 500 },
    );
    expect(accepted.length).toBeGreaterThan(20);
  });

  it('makes no link below a link, where names are the same to the file system', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'outside/keep': 'x', 'inside/real': { folder: true } });
    const inside = join(folder, 'inside');
    const manifest = new Manifest([link('a/x', 'real'), link('b', 'real')]);
    // As if `a` had been made by an entry `A`.
    await symlink('../outside', join(inside, 'a'));
    Object.defineProperty(manifest, 'folders', { value: [] });
    const unpacking = unpackBundle(manifest, new MemoryBlobStore(), inside);
    await expect(unpacking).rejects.toThrow('is below another link');
    expect(Object.keys(await readTree(join(folder, 'outside')))).toEqual(['keep']);
  });

  it.each<[string, string]>([
    ['no JSON', 'hello'],
    ['another schema', '{"schema":"mcp-proctor/bundle/v9","entries":[]}'],
    ['more members', '{"schema":"mcp-proctor/bundle/v1","entries":[],"more":1}'],
    ['other spacing', '{"schema":"mcp-proctor/bundle/v1", "entries":[]}'],
  ])('whose list is %s is refused', async (_, text) => {
    const { store, id } = storeWith([], text);
    const { cache } = await cacheInside();
    await expect(cache.take(id, store)).rejects.toThrow(DamagedBundleError);
  });

  it('with more files than a bundle may have is refused', async () => {
    const entries = Array.from({ length: 20_001 }, (_, index) => file(String(index)));
    const { store, id } = storeWith(entries);
    const { cache } = await cacheInside();
    await expect(cache.take(id, store)).rejects.toThrow('more than 20000 files');
  });
});

describe('content that came', () => {
  const sound = () => storeWith([file('a')]);
  const taking = async ({ store, id }: ReturnType<typeof storeWith>, options = {}) => {
    const folder = await temporaryFolder();
    const failure = await new BundleCache(folder, options).take(id, store).then(
      () => undefined,
      (error: Error) => error,
    );
    const left = await readTree(folder);
    return {
      failure,
      left: Object.keys(left).filter((path) => !/^(in-use|unfinished)$/.test(path)),
    };
  };

  it.each([
    ['other bytes', gzipSync('lies')],
    ['more bytes', gzipSync('evil and more')],
    ['fewer bytes', gzipSync('')],
    ['no gzip', Buffer.from('evil')],
    ['half of it', gzipSync(content).subarray(0, 12)],
  ])('is refused if it is %s', async (_, blob) => {
    const bundle = sound();
    bundle.store.blobs.set(sha256Of(content), blob);
    const { failure, left } = await taking(bundle);
    expect(failure).toBeInstanceOf(DamagedBundleError);
    expect(left).toEqual([]);
  });

  it('is not inflated beyond its size', async () => {
    const bundle = sound();
    bundle.store.blobs.set(sha256Of(content), gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    const { failure } = await taking(bundle);
    expect(failure?.cause).toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
  });

  it('is refused if the list of files has another digest', async () => {
    const bundle = sound();
    bundle.store.manifests.set(bundle.id, gzipSync(new Manifest([]).text));
    expect((await taking(bundle)).failure).toBeInstanceOf(DamagedBundleError);
  });

  it('is missed if it has expired', async () => {
    const withoutBlob = sound();
    withoutBlob.store.blobs.clear();
    expect((await taking(withoutBlob)).failure).toBeInstanceOf(BundleGoneError);
    const withoutList = sound();
    withoutList.store.manifests.clear();
    expect((await taking(withoutList)).failure).toBeInstanceOf(BundleGoneError);
  });

  it('is not fetched if it is more than the worker takes', async () => {
    const { failure } = await taking(sound(), { maxBundleBytes: 3 });
    expect(failure).toBeInstanceOf(BundleRefusedError);
    expect((await taking(sound(), { maxBundleBytes: 4 })).failure).toBeUndefined();
  });
});
