import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ModelServer } from '../test/support/model-server/model-server.js';
import { RedisServer } from '../test/support/redis-server.js';
import type { Benchmark } from './benchmark.js';
import { bundledProgram } from './bundled-program.js';
import { benchNode } from './process-time.js';

const perMinute = 600;
const processes = 8;
/** Of each process: all together take half a minute. */
const requests = 38;

/** Processes that would ask as fast as they can, by the count of the model that they ask. */
export const globalRequestRate: Benchmark = {
  name: 'global-request-rate',
  measures: `requests of ${processes} processes with a limit in Redis`,
  against: 'the limit',
  unit: 'per minute',
  budget: { atLeast: 0.95, atMost: 1.05 },
  rounds: 1,
  async prepare(folder) {
    const source = path.resolve(import.meta.dirname, 'asking-process.ts');
    const program = await bundledProgram(source, folder);
    return {
      measure: () => measuredRate(program),
      measureBaseline: () => perMinute,
    };
  },
};

/** From the first request that arrived to the last. */
async function measuredRate(program: string): Promise<number> {
  const redis = await RedisServer.start();
  const model = await ModelServer.start(() => ({ text: 'Hello.' }));
  try {
    const commandLine = [program, redis.url, model.url, String(requests), String(perMinute)];
    await Promise.all(Array.from({ length: processes }, () => run(commandLine)));
    const times = model.requests.map(({ arrivedAt }) => arrivedAt);
    const minutes = (Math.max(...times) - Math.min(...times)) / 60_000;
    return (times.length - 1) / minutes;
  } finally {
    await model.close();
    await redis.close();
  }
}

async function run(commandLine: string[]): Promise<void> {
  const child = spawn(benchNode, commandLine, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode !== 0) throw new Error(`a process that asks exited with ${exitCode}:\n${said}`);
}
