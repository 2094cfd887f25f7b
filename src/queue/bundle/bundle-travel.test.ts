import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTree, type Tree, temporaryFolder, writeTree } from '../../../testing/file-tree.js';
import { MemoryBlobStore } from '../../../testing/memory-blob-store.js';
import { BundleCache } from './bundle-cache.js';
import { BundleFileChangedError } from './bundle-errors.js';
import { pieceBytes } from './manifest.js';
import { packBundle } from './pack-bundle.js';
import { sendBundle } from './send-bundle.js';

async function sent(tree: Tree, store = new MemoryBlobStore()) {
  const root = await temporaryFolder();
  await writeTree(root, tree);
  const bundle = await packBundle({ root, reached: [] });
  return { root, bundle, store, sent: await sendBundle(bundle, store) };
}

const name = fc
  .array(fc.constantFrom('a', 'b', 'A', 'é', '😀', ' ', '.', '"', '\\', '\n', '-'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((letters) => letters.join(''))
  .filter((text) => text !== '.' && text !== '..');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const text = fc.string({ maxLength: 2000 });
const entry = fc.oneof(
  text,
  fc.record({ program: text }),
  fc.constant({ folder: true as const }),
  fc.record({ linkTo: fc.nat() }),
);

/** No path is below another one; links lead to one of the others, as the bundle would have it. */
const anyTree = fc
  .uniqueArray(fc.tuple(path, entry), { selector: ([at]) => at, maxLength: 12 })
  .map((entries): Tree => {
    const free = entries.filter(([at]) => !entries.some(([other]) => at.startsWith(`${other}/`)));
    const targets = free.filter(([, each]) => typeof each === 'string').map(([at]) => at);
    return Object.fromEntries(
      free.flatMap(([at, each]): [string, Tree[string]][] => {
        if (typeof each === 'string' || !('linkTo' in each)) return [[at, each]];
        const target = targets[each.linkTo % targets.length];
        if (target === undefined) return [];
        return [[at, { link: relativeLink(at, target) }]];
      }),
    );
  });

function relativeLink(from: string, to: string): string {
  const [start, end] = [from.split('/').slice(0, -1), to.split('/')];
  let shared = 0;
  while (start[shared] !== undefined && start[shared] === end[shared]) shared += 1;
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/');
}

describe('a bundle on its way', () => {
  it('arrives as it was', async () => {
    const folder = await temporaryFolder();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(anyTree, async (tree) => {
        number += 1;
        const root = join(folder, String(number));
        await writeTree(root, { [`eval ${number}.yaml`]: 'x', ...tree });
        const store = new MemoryBlobStore();
        const bundle = await packBundle({ root, reached: [] });
        await sendBundle(bundle, store);
        const taken = await new BundleCache(`${root}.cache`).take(bundle.id, store);
        expect(await readTree(taken.folder)).toEqual(await readTree(root));
        expect(Object.keys(await readTree(root))).toHaveLength(Object.keys(tree).length + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('has large files in pieces', async () => {
    const large = Buffer.alloc(2 * pieceBytes + 5, 'proctor');
    const { bundle, store } = await sent({
      large,
      exact: large.subarray(0, pieceBytes),
      empty: '',
    });
    const [empty, exact, whole] = bundle.manifest.files;
    expect([empty, exact, whole].map((file) => file?.pieces.length)).toEqual([0, 1, 3]);
    const { folder } = await new BundleCache(await temporaryFolder()).take(bundle.id, store);
    const arrived = await readTree(folder);
    expect(arrived.large === large.toString()).toBe(true);
    expect(arrived.empty).toBe('');
  });

  it('sends only what is not there', async () => {
    const store = new MemoryBlobStore();
    const first = await sent({ a: 'one', b: 'two', c: 'two' }, store);
    expect(first.sent).toEqual({ pieces: 2, bytes: 6 });
    expect((await sent({ a: 'one', b: 'three' }, store)).sent).toEqual({ pieces: 1, bytes: 5 });
    expect(await sendBundle(first.bundle, store)).toEqual({ pieces: 0, bytes: 0 });
  });

  it('needs few round trips for many files', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `folder-${index % 50}/file-${index}`);
    const tree = Object.fromEntries(names.map((each) => [each, `content of ${each}`]));
    const { bundle, store } = await sent(tree);
    await new BundleCache(await temporaryFolder()).take(bundle.id, store);
    expect(store.roundTrips).toBeLessThanOrEqual(3 * 10 + 2);
  });

  it('is not sent if a file changed since it was packed', async () => {
    for (const change of [
      (file: string) => writeFile(file, 'y'),
      (file: string) => writeFile(file, ''),
      (file: string) => rm(file),
    ]) {
      const root = await temporaryFolder();
      await writeTree(root, { a: 'x' });
      const bundle = await packBundle({ root, reached: [] });
      await change(join(root, 'a'));
      const store = new MemoryBlobStore();
      await expect(sendBundle(bundle, store)).rejects.toThrow(BundleFileChangedError);
      expect(store.manifests.size).toBe(0);
    }
  });

  it('has of a file that grows what it was when it was packed', async () => {
    const root = await temporaryFolder();
    await writeTree(root, { log: 'one\n' });
    const bundle = await packBundle({ root, reached: [] });
    await appendFile(join(root, 'log'), 'two\n');
    const store = new MemoryBlobStore();
    await sendBundle(bundle, store);
    const { folder } = await new BundleCache(await temporaryFolder()).take(bundle.id, store);
    expect(await readTree(folder)).toEqual({ log: 'one\n' });
  });
});
