import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { QueueKeys } from '../../src/queue/queue-keys.js';
import { RunStore } from '../../src/queue/run-store.js';
import type { WorkerFindings } from '../../src/queue/run-ticket.js';
import { RedisServer } from '../support/redis-server.js';

const setup: WorkerFindings = { worker: 'one', mcpServers: [], offers: [] };
const life = 60_000;

async function openStore() {
  const server = await RedisServer.start();
  onTestFinished(() => server.close());
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const store = new RunStore(redis, new QueueKeys('proctor'));
  return { redis, store, keys: store.keysOf('run') };
}

describe('what workers and checks say of a run', () => {
  it('is kept for as long as the run', async () => {
    const { redis, store, keys } = await openStore();
    await redis.hset(keys.run, 'state', 'preparing');
    await redis.pexpire(keys.run, life);
    await store.recordReady('run', 'w1', setup);
    await store.recordRefusal('run', 'w2', { worker: 'two', reason: 'no key' });

    const { first, ready, refused } = await store.readFindings('run');
    expect(first).toEqual(setup);
    expect([...ready]).toEqual(['w1']);
    expect([...refused]).toEqual([['w2', { worker: 'two', reason: 'no key' }]]);
    const left = await redis.pttl(keys.setup);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(life);
  });

  it('leaves nothing behind when the run is gone', async () => {
    const { redis, store } = await openStore();
    await store.recordReady('run', 'w1', setup);
    await store.recordRefusal('run', 'w2', { worker: 'two', reason: 'no key' });

    expect(await store.stop('run')).toBe(false);
    expect(await redis.keys('*')).toEqual([]);
  });
});
