import { Redis } from 'ioredis';
import { withTimeout } from '../../../src/base/timeouts.js';
import { randomNumbers } from '../../chaos/random.js';
import { RedisServer } from '../../support/redis-server.js';
import { ChaosSuite } from './chaos-suite.js';
import type { FaultKind } from './faults.js';
import { flawsOfResults, readAttempts } from './journal-flaws.js';
import { flawsOfKeys, leftOver } from './left-over-flaws.js';
import { playFaults } from './play-faults.js';
import { ResumedCheck } from './resumed-check.js';
import { flawsOfSigns } from './sign-flaws.js';
import { WorkerFleet } from './worker-fleet.js';

export interface RoundResult {
  faults: FaultKind[];
  taskRuns: number;
  workers: number;
  /** Attempts that did not count. */
  lost: number;
  longestRecoveryMs: number;
  flaws: string[];
  /** Where to look, if something is wrong. */
  folder?: string;
}

/** Milliseconds: longer than any round takes, on a machine with much else to do. */
const hangsAfter = 120_000;
const workersAtOnce = 4;

/** One suite over a queue of its own, disturbed at random moments. */
export async function playRound(seed: number): Promise<RoundResult> {
  const random = randomNumbers(seed);
  const suite = await ChaosSuite.create(random);
  const redis = await RedisServer.start({ durable: true });
  const fleet = new WorkerFleet(suite, redis.port, random);
  try {
    for (let worker = 0; worker < workersAtOnce; worker++) await fleet.start();
    const check = new ResumedCheck(suite, redis.url);
    const faults = await playFaults({ redis, fleet, check, random }, suite);
    const flaws = [...(await flawsOfEnd(check, suite, redis))];
    await fleet.leave();
    flaws.push(...fleet.flaws, ...(await withConnection(redis, flawsOfKeys)));
    const told = await readAttempts(suite);
    flaws.push(...told.flaws, ...flawsOfResults(suite), ...flawsOfSigns(suite, told.taskRunOf));
    flaws.push(...(await leftOver(suite)));
    if (flaws.length === 0) await suite.remove();
    const { lost, longestRecovery } = told;
    return {
      faults,
      taskRuns: suite.taskRuns.length,
      workers: fleet.size,
      lost,
      longestRecoveryMs: longestRecovery,
      flaws,
      ...(flaws.length > 0 && { folder: suite.folder }),
    };
  } finally {
    await fleet.kill();
    await redis.close();
  }
}

async function flawsOfEnd(
  check: ResumedCheck,
  { tasks }: ChaosSuite,
  redis: RedisServer,
): Promise<string[]> {
  const end = await withTimeout(hangsAfter, check.ended);
  if (!end) {
    const contents = await withConnection(redis, contentsOf);
    check.giveUp();
    return [`it hung; the queue has:\n${contents}`];
  }
  const expected = tasks.some(({ outcome }) => outcome !== 'passed') ? 1 : 0;
  return end.exitCode === expected ? [] : [`it ended with ${end.exitCode}:\n${end.stderr}`];
}

async function withConnection<Result>(
  { url }: RedisServer,
  use: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const connection = new Redis(url);
  try {
    return await use(connection);
  } finally {
    connection.disconnect();
  }
}

/** For whoever has to find out why nothing happens any more. */
async function contentsOf(redis: Redis): Promise<string> {
  const keys = (await redis.keys('*')).filter((key) => !key.includes(':blob:')).sort();
  const lines = keys.map(async (key) => `${key}: ${(await contentOf(redis, key)).slice(0, 500)}`);
  return (await Promise.all(lines)).join('\n');
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
  if (type === 'list') return (await redis.lrange(key, '0', '-1')).join(' ');
  if (type === 'zset') return (await redis.zrange(key, '0', '-1')).join(' ');
  return type === 'string' ? String(await redis.get(key)) : type;
}
