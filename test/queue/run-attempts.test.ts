import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { getLockKey, QueueKeys } from '../../src/queue/queue-keys.js';
import { type Beginning, RunAttempts } from '../../src/queue/run-attempts.js';
import { it as queueIt } from '../support/queue-suites.js';

interface Shared {
  client: Redis;
  attempts: RunAttempts;
  /** Begins with the lease of that token. */
  begin(item: string, token: string, maxLost?: number): Promise<Beginning>;
  /** The same, where there is an attempt to begin. */
  begun(item: string, token: string, maxLost?: number): Promise<Begun>;
}

type Begun = Extract<Beginning, { attempt: unknown }>;

const keys = new QueueKeys('p').ofRun('r');
const entry = ['i', '0-0-1', 't', 'a#1', 'e', '{}'];
const nothing = { cost: 0, tokens: 0 };
const news = { sentEvents: 1, cutOff: 'same' } as const;

/** A run that is open, and the attempts at its task runs. */
const it = queueIt.extend<{ shared: Shared }>({
  shared: async ({ redis, onTestFinished }, use) => {
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await client.hset(keys.run, 'state', 'open', 'expiresAt', Date.now() + 600_000);
    await client.rpush(keys.sequence, '0-0-1', '1-0-1');
    const attempts = new RunAttempts(client, keys);
    const begin: Shared['begin'] = async (item, token, maxLost = 3) => {
      const lock = getLockKey(keys, 'any', item);
      await client.set(lock, token, 'PX', 600_000);
      return attempts.begin(item, { token, lock }, maxLost);
    };
    const begun: Shared['begun'] = async (item, token, maxLost) => {
      const beginning = await begin(item, token, maxLost);
      if (!('attempt' in beginning)) throw new Error(`it is ${beginning.kind}`);
      return beginning;
    };
    await use({ client, attempts, begin, begun });
  },
});

describe('an attempt', () => {
  it('counts until another one begins, and changes nothing from then on', async ({ shared }) => {
    const { client, attempts, begun } = shared;
    const first = await begun('0-0-1', 'x');
    expect(await attempts.append(first.fence, news, entry)).toBe(true);

    const second = await begun('0-0-1', 'y');

    expect(second).toMatchObject({ kind: 'begun', attempt: 2, lost: 1, sentEvents: 1 });
    expect(await attempts.append(first.fence, news, entry)).toBe(false);
    expect(await attempts.end(first.fence, { outcome: 'failed', ...nothing }, entry)).toBe(false);
    expect(await client.xlen(keys.events)).toBe(1);
    expect(await client.hgetall(keys.done)).toEqual({});
    expect(await attempts.next()).toEqual({ kind: 'item', item: '0-0-1' });

    expect(await attempts.end(second.fence, { outcome: 'passed', ...nothing }, entry)).toBe(true);
    expect(await client.hgetall(keys.done)).toEqual({ '0-0-1': 'passed' });
    expect(await attempts.next()).toEqual({ kind: 'item', item: '1-0-1' });
  });

  it('is begun by whoever has the lease, and not by one whose word comes late', async ({
    shared,
  }) => {
    const { attempts, begun } = shared;
    const { fence } = await begun('0-0-1', 'second');
    const late = { token: 'first', lock: getLockKey(keys, 'any', '0-0-1') };

    expect(await attempts.begin('0-0-1', late, 3)).toEqual({ kind: 'taken' });
    expect(await attempts.append(fence, news, entry)).toBe(true);
  });

  it('counts once, although its beginning is asked for again', async ({ shared }) => {
    const { begun } = shared;
    const first = await begun('0-0-1', 'x');

    expect(await begun('0-0-1', 'x')).toEqual(first);
    expect(await begun('0-0-1', 'y')).toMatchObject({ attempt: 2, lost: 1 });
  });

  it('cannot be ended twice, nor begun when it is done', async ({ shared }) => {
    const { client, attempts, begin, begun } = shared;
    const { fence } = await begun('0-0-1', 'x');
    const end = { outcome: 'failed', cost: 0.5, tokens: 7 } as const;
    expect(await attempts.end(fence, end, entry)).toBe(true);
    expect(await attempts.end(fence, end, entry)).toBe(false);
    expect(await begin('0-0-1', 'y')).toEqual({ kind: 'done' });
    expect(await client.hmget(keys.run, 'cost', 'tokens', 'notPassed')).toEqual(['0.5', '7', '1']);
  });

  it('tells whoever comes next what it left behind', async ({ shared }) => {
    const { attempts, begun } = shared;
    const first = await begun('0-0-1', 'x');
    expect(first).not.toHaveProperty('cutOff');
    await attempts.append(first.fence, { sentEvents: 4, cutOff: { text: '{"a":1}' } }, entry);
    const second = await begun('0-0-1', 'y');
    expect(second).toMatchObject({ cutOff: '{"a":1}', sentEvents: 4 });
    await attempts.append(second.fence, { sentEvents: 6, cutOff: 'nothing' }, entry);
    expect(await begun('0-0-1', 'z')).not.toHaveProperty('cutOff');
  });

  it('that was given back is not lost', async ({ shared }) => {
    const { attempts, begun } = shared;
    for (const number of [1, 2, 3]) {
      const each = await begun('0-0-1', `x${number}`, 1);
      expect(each).toMatchObject({ kind: 'begun', attempt: number, lost: 0 });
      expect(await attempts.end(each.fence, nothing, [])).toBe(true);
    }
  });

  it('is the last one when too many were lost', async ({ shared }) => {
    const { begun } = shared;
    await begun('0-0-1', 'x', 2);
    await begun('0-0-1', 'y', 2);
    expect(await begun('0-0-1', 'z', 2)).toMatchObject({ kind: 'poisonous', lost: 2 });
  });

  it('of a run that is stopped is only cleaned up after', async ({ shared }) => {
    const { client, begin, begun } = shared;
    await begun('0-0-1', 'x');
    await client.hset(keys.run, 'state', 'stopping');
    expect(await begin('1-0-1', 'y')).toEqual({ kind: 'closed' });
    expect(await begun('0-0-1', 'y')).toMatchObject({ kind: 'clean', attempt: 2 });
    await client.del(keys.run);
    expect(await begin('1-0-1', 'y')).toEqual({ kind: 'gone' });
  });

  it.for([
    ['bail', { bail: 2, notPassed: 2 }],
    ['cost', { maxCost: 1.5, cost: 1.5 }],
    ['tokens', { maxTokens: 10, tokens: 11 }],
    ['duration', { endsAt: 1 }],
  ] as const)('is not begun when %s says so', async ([over, fields], { shared }) => {
    const { client, begin } = shared;
    await client.hset(keys.run, fields);
    expect(await begin('0-0-1', 'x')).toEqual({ kind: 'closed' });
    expect(await client.hget(keys.run, 'over')).toBe(over);
  });

  it('waits while too much is unread', async ({ shared }) => {
    const { client, begin, begun } = shared;
    await client.hset(keys.run, { waiting: 10, mostWaiting: 10 });
    expect(await begin('0-0-1', 'x')).toEqual({ kind: 'full' });
    await client.hset(keys.run, { waiting: 9 });
    await begun('0-0-1', 'x');
  });

  it('leaves nothing that lasts for ever', async ({ shared }) => {
    const { client, attempts, begun } = shared;
    const { fence } = await begun('0-0-1', 'x');
    await attempts.append(fence, news, entry);
    await attempts.end(fence, { outcome: 'passed', ...nothing }, entry);
    for (const key of await client.keys('*')) {
      expect(await client.pttl(key), key).toBeGreaterThan(0);
    }
  });
});
