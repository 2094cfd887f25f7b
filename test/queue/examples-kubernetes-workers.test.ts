import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { containerCall, containerOf, runContainer } from '../support/example-container.js';
import { programs, run } from '../support/example-shell.js';
import { RedisServer } from '../support/redis-server.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const password = 'a%41 word';
let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.start({ settings: ['--requirepass', password] });
});
afterAll(() => redis.close());

const queue = 'redis://evals-redis:6379';

/** The address of the example, as that of the test's server. */
function reached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(queue, redis.url)) as Value;
}

/** Ends as a pod that is told to. */
async function withWorker(suite: ScratchSuite, use: () => Promise<void>): Promise<string> {
  const { words, around } = containerCall(
    suite,
    reached(containerOf('Deployment', 'evals-worker')),
    { POD_NAME: 'evals-worker-abc', PROCTOR_QUEUE_PASSWORD: password },
  );
  const [program = '', ...args] = words;
  const child = spawn(`${around.bin}/${program}`, args, {
    cwd: around.cwd,
    env: { PATH: process.env.PATH, ...around.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exit = once(child, 'exit');
  try {
    await use();
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
  expect(child.exitCode, log).toBe(0);
  return log;
}

/** Neither the agent nor what it starts is to find the way into the queue. */
const seesNoQueue = 'test -z "$PROCTOR_QUEUE$PROCTOR_QUEUE_PASSWORD"';
const requires = [{ labels: { pool: 'standard' } }];
const tasks = {
  a: { spec: { verify: [script(seesNoQueue)] } },
  b: { parallel: true, spec: { requires, verify: [script(seesNoQueue)] } },
  fails: { parallel: true, spec: { verify: [script('exit 1')] } },
};

describe('the workers and the check of the example', () => {
  const check = containerOf('Job', 'evals-queue-run-1');

  it('work together', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    const log = await withWorker(suite, async () => {
      const job = reached(check);
      const more = { PROCTOR_QUEUE_PASSWORD: password };
      const { exitCode, log } = await runContainer(suite, job, more);
      expect(exitCode, log).toBe(0);
      const { taskRuns } = JSON.parse(await suite.read('results/queue-run-1/results.json')) as {
        taskRuns: TaskRunResult[];
      };
      const told = taskRuns.map(({ task, outcome, worker }) => [task, outcome, worker]);
      expect(told.sort()).toEqual([
        ['a', 'passed', 'evals-worker-abc'],
        ['b', 'passed', 'evals-worker-abc'],
        ['fails', 'failed', 'evals-worker-abc'],
      ]);
      expect(await suite.read('results/queue-run-1/report.html')).toContain('<html');

      // A pod that comes after another finds nothing to do.
      const journal = await suite.read('results/queue-run-1/results.jsonl');
      expect((await runContainer(suite, job, more)).exitCode).toBe(0);
      expect(await suite.read('results/queue-run-1/results.jsonl')).toBe(journal);
    });
    expect(log).toContain('Worker evals-worker-abc takes task runs');
    expect(log).not.toContain(password);
  });

  it('do not get in without the password', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    const { exitCode, log } = await runContainer(suite, reached(check));
    expect(exitCode, log).toBe(2);
    expect(log).toContain('cannot reach the queue at redis://127.0.0.1');
  });

  it('are ready when the queue lets them in', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    const worker = reached(containerOf('Deployment', 'evals-worker'));
    const command = worker.readinessProbe?.exec.command ?? [];
    const probe = async (more: Record<string, string>) =>
      (await run(command, containerCall(suite, worker, more).around)).exitCode;
    expect(await probe({ PROCTOR_QUEUE_PASSWORD: password })).toBe(0);
    expect(await probe({ PROCTOR_QUEUE_PASSWORD: 'another' })).not.toBe(0);
  });
});
