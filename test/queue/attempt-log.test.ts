import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Redactor } from '../../src/config/secrets/redactor.js';
import { Secrets } from '../../src/config/secrets/secrets.js';
import { getLockKey, QueueKeys } from '../../src/queue/queue-keys.js';
import { RunAttempts } from '../../src/queue/run-attempts.js';
import { AttemptLog } from '../../src/queue/worker/attempt-log.js';
import { agentFinished, call, ended, started } from '../../testing/journals.js';
import { RedisServer } from '../support/redis-server.js';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());

let tests = 0;

async function begunAttempt() {
  tests += 1;
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const keys = new QueueKeys('p').ofRun(String(tests));
  await redis.hset(keys.run, 'state', 'open', 'expiresAt', Date.now() + 600_000);
  const attempts = new RunAttempts(redis, keys);
  const lock = getLockKey(keys, 'any', '0-0-1');
  await redis.set(lock, 'token');
  const beginning = await attempts.begin('0-0-1', { token: 'token', lock }, 3);
  if (!('attempt' in beginning)) throw new Error(`it is ${beginning.kind}`);
  // Whatever would be told after a moment waits for ever.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = new AttemptLog({
    attempts,
    fence: beginning.fence,
    name: 'feed-1',
    redactor: new Redactor(new Secrets()),
    lost: new AbortController(),
  });
  /** The types of the events of each entry. */
  const entries = async () => {
    const found = await redis.xrange(keys.events, '-', '+');
    return found.map(([, fields]) =>
      (fields.at(-1) ?? '').split('\n').map((line) => JSON.parse(line).type as string),
    );
  };
  return { log, entries };
}

it('tells at once what others need to clean up, and the end together with what came before', async () => {
  const { log, entries } = await begunAttempt();
  log.write(started());
  await log.flush();
  expect(await entries()).toEqual([['task-run-started']]);
  for (const event of agentFinished()) log.write(event);
  log.write(call());
  log.write(ended());
  await log.flush();
  expect(await entries()).toHaveLength(1);
  expect(await log.end({ outcome: 'passed', cost: 0, tokens: 0 })).toBe(true);
  expect(await entries()).toEqual([
    ['task-run-started'],
    ['phase-started', 'phase-ended', 'mcp-call', 'task-run-ended'],
  ]);
});

it('takes nothing after the end, which would be missing before it', async () => {
  const { log, entries } = await begunAttempt();
  log.write(started());
  const last = log.write(ended());
  expect(log.write(call())).toBe(last);
  await log.end({ outcome: 'passed', cost: 0, tokens: 0 });
  expect((await entries()).flat()).toEqual(['task-run-started', 'task-run-ended']);
});

it('tells the end after what is still on its way', async () => {
  const { log, entries } = await begunAttempt();
  log.write(started());
  void log.flush();
  log.write(ended());
  await log.end({ outcome: 'passed', cost: 0, tokens: 0 });
  expect((await entries()).flat()).toEqual(['task-run-started', 'task-run-ended']);
});

it('sends everything but the end of an attempt that is left open for the next worker', async () => {
  const { log, entries } = await begunAttempt();
  log.write(started());
  await log.flush();
  log.write(call());
  log.write(ended());
  await log.leaveOpen();
  expect(await entries()).toEqual([['task-run-started'], ['mcp-call']]);
});
