import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { markedProcesses } from '../../../testing/marked-processes.js';
import type { ChaosSuite } from './chaos-suite.js';

/** Keys that would stay for ever. */
export async function flawsOfKeys(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  const ends = await Promise.all(keys.map((key) => redis.pttl(key)));
  return keys
    .filter((_, index) => ends[index] === -1)
    .map((key) => `the key ${key} would stay for ever`);
}

/** Milliseconds: whoever clears up after one that was killed a moment ago is still at it. */
const patience = 10_000;

/** Processes, and folders for temporary files. */
export async function leftOver(suite: ChaosSuite): Promise<string[]> {
  const end = performance.now() + patience;
  while (leftNow(suite).length > 0 && performance.now() < end) await delay(50);
  return leftNow(suite);
}

function leftNow(suite: ChaosSuite): string[] {
  return [
    ...markedProcesses(suite.mark).map(({ pid, command }) => `process ${pid} is left: ${command}`),
    ...readdirSync(suite.temporary).map((name) => `a temporary folder is left: ${name}`),
  ];
}
