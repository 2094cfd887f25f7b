import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisServer } from '../support/redis-server.js';
import { startCheck } from '../support/running-check.js';
import { ChaosSuite } from './chaos/chaos-suite.js';
import { CuttableRelay } from './chaos/cuttable-relay.js';
import { flawsOfResults, readAttempts } from './chaos/journal-flaws.js';
import { flawsOfKeys } from './chaos/left-over-flaws.js';
import { WorkerFleet } from './chaos/worker-fleet.js';

/** Always the same suite, of which everything passes. */
const random = () => 0.5;

async function startQueue() {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.close());
  const suite = await ChaosSuite.create(random);
  onTestFinished(() => suite.remove());
  const fleet = new WorkerFleet(suite, redis.port, random);
  onTestFinished(() => fleet.kill());
  await fleet.start();
  const relay = await CuttableRelay.to(redis.port);
  onTestFinished(() => relay.close());
  const check = (queue: string, ...more: string[]) =>
    startCheck(['check', 'eval.yaml', '--queue', queue, ...more], {
      cwd: suite.suiteFolder,
      env: suite.environment,
    });
  const connection = new Redis(redis.url);
  onTestFinished(() => connection.disconnect());
  return { redis, suite, relay, check, connection };
}

describe('a check that is killed while it hands a run over', () => {
  it.each([
    { moment: 'before workers may begin', text: 'mostWaiting' },
    { moment: 'before the first task run waits for a worker', text: 'removeOnComplete' },
  ])('is resumed with everything still to do: $moment', async ({ text }) => {
    const { redis, suite, relay, check, connection } = await startQueue();
    const reached = relay.cutBefore(text);
    const killed = check(relay.url);
    await reached;
    killed.kill('SIGKILL');
    await killed.ended;

    expect(await flawsOfKeys(connection)).toEqual([]);
    const { exitCode, stderr } = await check(redis.url, '--resume').ended;
    expect(exitCode, stderr).toBe(0);
    expect(flawsOfResults(suite)).toEqual([]);
    expect((await readAttempts(suite)).flaws).toEqual([]);
  });
});

describe('a check that is killed when everything is done', () => {
  it('leaves a run that is gone soon', async () => {
    const { redis, suite, relay, check, connection } = await startQueue();
    // What removes it.
    const reached = relay.cutBefore('\r\ndel\r\n');
    const killed = check(relay.url);
    await reached;
    killed.kill('SIGKILL');
    await killed.ended;

    expect((await readAttempts(suite)).flaws).toEqual([]);
    const [key] = await connection.keys('*:run');
    expect(await connection.pttl(key ?? '')).toBeGreaterThan(0);
    expect(await connection.pttl(key ?? '')).toBeLessThanOrEqual(60_000);
    const { exitCode, stderr } = await check(redis.url, '--resume').ended;
    expect(exitCode, stderr).toBe(0);
    expect(flawsOfResults(suite)).toEqual([]);
  });
});
