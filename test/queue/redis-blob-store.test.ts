import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisBlobStore } from '../../src/queue/bundle/blob-store.js';
import { BundleCache } from '../../src/queue/bundle/bundle-cache.js';
import { packBundle } from '../../src/queue/bundle/pack-bundle.js';
import { sendBundle } from '../../src/queue/bundle/send-bundle.js';
import { readTree, type Tree, temporaryFolder, writeTree } from '../../testing/file-tree.js';
import { RedisServer } from '../support/redis-server.js';

const hour = 60 * 60 * 1000;

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  server = await RedisServer.start();
  redis = new Redis(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  await redis.quit();
  await server.close();
});

const storeFor = (keepMs: number, prefix = 'proctor') =>
  new RedisBlobStore(redis, { prefix, keepMs });

/** Lets everything expire in a minute, as if most of its time were over. */
async function nearlyExpire(): Promise<void> {
  for (const key of await redis.keys('*')) await redis.pexpire(key, 60_000);
}

async function shortestTime(): Promise<number> {
  const keys = await redis.keys('*');
  return Math.min(...(await Promise.all(keys.map((key) => redis.pttl(key)))));
}

async function packed(tree: Tree) {
  const root = await temporaryFolder();
  await writeTree(root, tree);
  return packBundle({ root, reached: [] });
}

describe('RedisBlobStore', () => {
  it('carries a bundle from one machine to another', async () => {
    const binary = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const names = Array.from({ length: 600 }, (_, index) => [`many/${index}`, `file ${index}`]);
    const tree: Tree = { 'eval.yaml': 'x', empty: '', binary, ...Object.fromEntries(names) };
    const bundle = await packed(tree);
    expect(await sendBundle(bundle, storeFor(hour))).toMatchObject({ pieces: 602 });
    const other = new Redis(server.url);
    const store = new RedisBlobStore(other, { prefix: 'proctor', keepMs: hour });
    const { folder } = await new BundleCache(await temporaryFolder()).take(bundle.id, store);
    await other.quit();
    expect(await readTree(folder)).toEqual(await readTree(bundle.root));
  });

  it('has one key for each content and one for the list, all of which expire', async () => {
    const bundle = await packed({ a: 'one', b: 'two', c: 'two' });
    await sendBundle(bundle, storeFor(hour, 'team'));
    const [one, two] = bundle.manifest.files.flatMap(({ pieces }) => pieces);
    const expected = [`team:blob:${one}`, `team:blob:${two}`, `team:bundle:${bundle.id}`];
    expect((await redis.keys('*')).sort()).toEqual(expected.sort());
    expect(await shortestTime()).toBeGreaterThan(0);
  });

  it('lets everything last anew that is sent again', async () => {
    const bundle = await packed({ a: 'one', b: 'two' });
    await sendBundle(bundle, storeFor(hour));
    await nearlyExpire();
    expect(await sendBundle(bundle, storeFor(hour))).toEqual({ pieces: 0, bytes: 0 });
    expect(await shortestTime()).toBeGreaterThan(hour / 2);
  });

  it('lets everything last anew that a worker fetches', async () => {
    const bundle = await packed({ a: 'one', b: 'two' });
    await sendBundle(bundle, storeFor(hour));
    await nearlyExpire();
    await new BundleCache(await temporaryFolder()).take(bundle.id, storeFor(hour));
    expect(await shortestTime()).toBeGreaterThan(hour / 2);
  });

  it('takes no time from those who want things to last longer', async () => {
    const bundle = await packed({ a: 'one', b: 'two' });
    await sendBundle(bundle, storeFor(10 * hour));
    const store = storeFor(hour);
    await sendBundle(bundle, store);
    await new BundleCache(await temporaryFolder()).take(bundle.id, store);
    expect(await shortestTime()).toBeGreaterThan(5 * hour);
  });

  it('sends what was lost', async () => {
    const bundle = await packed({ a: 'one', b: 'two' });
    await sendBundle(bundle, storeFor(hour));
    const [lost] = await redis.keys('*:blob:*');
    await redis.del(String(lost));
    expect(await sendBundle(bundle, storeFor(hour))).toMatchObject({ pieces: 1 });
  });

  it('has nothing to say of nothing', async () => {
    const store = storeFor(hour);
    expect(await store.missing([])).toEqual(new Set());
    expect(await store.getBlobs([])).toEqual([]);
    await store.putBlobs([]);
    expect(await store.getManifest('0'.repeat(64))).toBeUndefined();
  });
});
