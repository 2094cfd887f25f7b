import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { it } from '../support/queue-suites.js';

/** Milliseconds: an hour. */
const aboutToExpire = 3_600_000;

/** Keys that never expire, but for those that went while we looked. */
async function lasting(client: Redis): Promise<string[]> {
  const keys = await client.keys('*');
  const lives = await Promise.all(keys.map((key) => client.pttl(key)));
  return keys.filter((_, index) => lives[index] === -1);
}

/** What is not about to expire, without the digests in the names. */
async function stays(client: Redis): Promise<string[]> {
  const keys = await client.keys('*');
  const lives = await Promise.all(keys.map((key) => client.pttl(key)));
  const names = keys
    .filter((_, index) => (lives[index] ?? 0) > aboutToExpire)
    .map((key) => key.replaceAll(/[0-9a-f]{32,}/g, '*'));
  return [...new Set(names)].sort();
}

describe('what is in Redis', () => {
  it('expires while a run goes on, and is gone with the run', async ({
    redis,
    makeGated,
    onTestFinished,
  }) => {
    const { suite, site } = await makeGated({ parallel: true });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    for (const task of ['a', 'b']) suite.close('agent', task);
    const worker = await site.worker('one', { args: ['--concurrency', '2'] });
    const check = site.check(['--concurrent-agents', '2']);
    for (const task of ['a', 'b']) await suite.reached('agent', task);

    expect(await client.dbsize()).toBeGreaterThan(10);
    // Whoever made a key that BullMQ gives no end has a moment to give it one.
    await expect.poll(() => lasting(client), { timeout: 60_000, interval: 250 }).toEqual([]);

    for (const task of ['a', 'b']) suite.release('agent', task);
    expect((await check.ended).exitCode).toBe(0);
    expect(await lasting(client)).toEqual([]);
    await site.sendAway(worker);
    // These are for the next check.
    expect(await stays(client)).toEqual(['proctor:blob:*', 'proctor:bundle:*']);
    expect(await client.keys('proctor:worker*')).toEqual([]);
  });
});
