import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  askingEnvironment,
  averageRate,
  startAskedModel,
  writeAskingSuite,
} from './asking-suite.js';
import type { Benchmark } from './benchmark.js';
import { benchNode, proctorProgram } from './process-time.js';

/** All together take half a minute. */
const suite = { agents: 8, requests: 38, perMinute: 600 };

/** Agents that would ask as fast as they can, by the count of the model that they ask. */
export const requestRate: Benchmark = {
  name: 'request-rate',
  measures: `requests of ${suite.agents} agents with a limit`,
  against: 'the limit',
  unit: 'per minute',
  budget: { atLeast: 0.95, atMost: 1.05 },
  rounds: 1,
  async prepare(folder) {
    await writeAskingSuite(folder, suite);
    return {
      measure: () => measuredRate(folder),
      measureBaseline: () => suite.perMinute,
    };
  },
};

async function measuredRate(folder: string): Promise<number> {
  const model = await startAskedModel(suite);
  try {
    await rm(path.join(folder, 'out.jsonl'), { force: true });
    await check(folder, askingEnvironment(model));
    return averageRate(model);
  } finally {
    await model.close();
  }
}

async function check(folder: string, env: Record<string, string>): Promise<void> {
  const options = ['--out', 'out.json', '--parallel', String(suite.agents)];
  const child = spawn(benchNode, [proctorProgram, 'check', 'eval.yaml', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode !== 0) throw new Error(`proctor check exited with ${exitCode}:\n${said}`);
}
