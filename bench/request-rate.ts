import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ModelServer } from '../test/support/model-server/model-server.js';
import type { Script } from '../test/support/model-server/turn.js';
import type { Benchmark } from './benchmark.js';
import { benchNode, proctorProgram } from './process-time.js';

const perMinute = 600;
const taskRuns = 8;
/** Of each task run: all together take half a minute. */
const requests = 38;

/** Agents that would ask as fast as they can, by the count of the model that they ask. */
export const requestRate: Benchmark = {
  name: 'request-rate',
  measures: `requests of ${taskRuns} agents with a limit`,
  against: 'the limit',
  unit: 'per minute',
  budget: { atLeast: 0.95, atMost: 1.05 },
  rounds: 1,
  async prepare(folder) {
    await writeSuite(folder);
    return {
      measure: () => measuredRate(folder),
      measureBaseline: () => perMinute,
    };
  },
};

const turns: Script = ({ round }) =>
  round < requests - 1 ? { toolCalls: [{ tool: 'note' }] } : { text: 'Done.' };

async function writeSuite(folder: string): Promise<void> {
  const server = path.resolve(import.meta.dirname, '../test/fixtures/servers/plain-server.mjs');
  const files = {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'bench' },
      config: {
        agent: { type: 'builtin.llm-agent', model: 'openai:bench' },
        mcpConfigFile: 'mcp.json',
        limits: { rates: [{ requestsPerMinute: perMinute }] },
        taskSets: [{ path: 'task.yaml', assertions: { minToolCalls: requests - 1 } }],
      },
    },
    'mcp.json': {
      mcpServers: {
        plain: { command: benchNode, args: [server, '--stdio'], enableAllTools: true },
      },
    },
    'task.yaml': {
      kind: 'Task',
      metadata: { name: 'ask', parallel: true, runs: taskRuns },
      spec: { prompt: { inline: 'Take notes.' } },
    },
  };
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}

/** From the first request that arrived to the last. */
async function measuredRate(folder: string): Promise<number> {
  const model = await ModelServer.start(turns);
  try {
    await rm(path.join(folder, 'out.jsonl'), { force: true });
    await check(folder, `${model.url}/v1`);
    const times = model.requests.map(({ arrivedAt }) => arrivedAt);
    const minutes = (Math.max(...times) - Math.min(...times)) / 60_000;
    return (times.length - 1) / minutes;
  } finally {
    await model.close();
  }
}

async function check(folder: string, baseUrl: string): Promise<void> {
  const options = ['--out', 'out.json', '--parallel', String(taskRuns)];
  const child = spawn(benchNode, [proctorProgram, 'check', 'eval.yaml', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, OPENAI_API_KEY: 'any', OPENAI_BASE_URL: baseUrl },
  });
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode !== 0) throw new Error(`proctor check exited with ${exitCode}:\n${said}`);
}
