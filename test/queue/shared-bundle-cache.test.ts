import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { rolldown } from 'rolldown';
import { expect, it, onTestFinished } from 'vitest';
import { RedisBlobStore } from '../../src/queue/bundle/blob-store.js';
import { BundleCache } from '../../src/queue/bundle/bundle-cache.js';
import { packBundle } from '../../src/queue/bundle/pack-bundle.js';
import { sendBundle } from '../../src/queue/bundle/send-bundle.js';
import { readTree, type Tree, temporaryFolder, writeTree } from '../../testing/file-tree.js';
import { RedisServer } from '../support/redis-server.js';

const source = path.resolve(import.meta.dirname, 'programs/take-bundle.ts');

async function startStore() {
  const server = await RedisServer.start();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const store = new RedisBlobStore(redis, { prefix: 'proctor', keepMs: 60_000 });
  const send = async (tree: Tree) => {
    const root = await temporaryFolder();
    await writeTree(root, tree);
    const bundle = await packBundle({ root, reached: [] });
    await sendBundle(bundle, store);
    return bundle;
  };
  return { url: server.url, store, send };
}

async function buildProgram(): Promise<string> {
  const bundler = await rolldown({ input: source, platform: 'node' });
  const file = path.join(await temporaryFolder(), 'take-bundle.mjs');
  await bundler.write({ file, format: 'esm', codeSplitting: false });
  await bundler.close();
  return file;
}

/** A process, and the lines that it says. */
function startTaking(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (): Promise<string> => String((await lines.next()).value);
  return { child, said };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

it('is shared by processes that come at once, and outlives those that are killed', async () => {
  const { url, store, send } = await startStore();
  const files = Array.from({ length: 300 }, (_, index) => [`folder/${index}`, `file ${index}`]);
  const bundle = await send({ 'eval.yaml': 'x', ...Object.fromEntries(files) });
  const program = await buildProgram();
  const cacheFolder = await temporaryFolder();
  const takers = Array.from({ length: 4 }, () => startTaking(program, url, bundle.id, cacheFolder));
  for (const { said } of takers) expect(await said()).toBe('ready');
  for (const { child } of takers) child.stdin.write('go\n');
  const folders = await Promise.all(takers.map(({ said }) => said()));

  expect(new Set(folders).size).toBe(1);
  expect(await readTree(String(folders[0]))).toEqual(await readTree(bundle.root));
  expect(await readdir(path.join(cacheFolder, 'unfinished'))).toEqual([]);

  const other = await send({ 'eval.yaml': 'y' });
  const cache = new BundleCache(cacheFolder, { maxBytes: 1 });
  const [first, ...rest] = takers;
  for (const { child } of rest) await killed(child);
  await (await cache.take(other.id, store)).release();
  // One of them still uses it.
  expect(await readTree(String(folders[0]))).toEqual(await readTree(bundle.root));

  if (first) await killed(first.child);
  await cache.take((await send({ 'eval.yaml': 'z' })).id, store);
  const left = (await readdir(cacheFolder)).filter((name) => folders[0]?.endsWith(name));
  expect(left).toEqual([]);
});
