import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../agents/agent.js';
import { Redactor } from '../config/secrets/redactor.js';
import { Secrets } from '../config/secrets/secrets.js';
import { Extensions } from '../extensions/extensions.js';
import { makeLocalLimits } from '../limits/limits.js';
import type { PlannedTask } from '../plan/plan.js';
import { LocalExecution } from './local-execution.js';
import { createPlannedWork } from './schedule/scheduler.js';
import { Bail, Budget } from './schedule/stop-conditions.js';

const task = (name: string) =>
  ({
    name,
    labels: {},
    parallel: true,
    runs: { count: 1 },
    limits: {},
    assertions: [],
    definition: { name, source: { path: '/suite/task.yaml' }, steps: [], prompt: { text: name } },
  }) as unknown as PlannedTask;

it('a bug in one task run is thrown only after the task runs beside it have ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journalPath = join(folder, 'out.jsonl');
  let isStopped = false;
  let otherBegins = () => {};
  const otherHasBegun = new Promise<void>((resolve) => {
    otherBegins = resolve;
  });
  const agent: Agent = {
    identity: { name: 'agent', type: 'scripted' },
    prepare: async () => ({ problems: [] }),
    async run({ prompt, signal }) {
      // What no journal can hold.
      if (prompt === 'bug') {
        await otherHasBegun;
        return {
          end: 'finished',
          output: '',
          usage: { inputTokens: 1n, outputTokens: 1n } as never,
        };
      }
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      otherBegins();
      await aborted;
      isStopped = true;
      return { end: 'stopped', output: '' };
    },
  };
  const tasks = [task('bug'), task('other')];
  const taskRuns = tasks.map((each) => ({ task: each, run: 1, parallel: true }));
  const execution = new LocalExecution({
    plan: { name: 'suite', file: 'eval.yaml', tasks, variants: [], taskRuns },
    work: createPlannedWork(taskRuns),
    bail: new Bail(),
    budget: new Budget({}),
    evalPath: '/suite/eval.yaml',
    limits: makeLocalLimits({ rates: [] }),
    setups: [{ servers: [], offers: [], agent, identity: agent.identity, skillTool: 'Skill' }],
    judge: undefined,
    extensions: new Extensions({
      definitions: [],
      environment: {},
      locate: () => Promise.reject(new Error('there is none')),
      redact: (text) => text,
    }),
    record: { id: 'evaluation-of-a-bug', files: [], options: {} },
    journalPath,
    redactor: new Redactor(new Secrets()),
    environment: {},
    parallel: 2,
    onEvent: () => {},
    replaceEarlier: async () => {},
  });

  await expect(execution.execute()).rejects.toThrow('BigInt');

  expect(isStopped).toBe(true);
  const lines = (await readFile(journalPath, 'utf8')).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', interrupted: true });
  expect(events.filter(({ type }) => type === 'task-run-ended')).toMatchObject([
    { task: 'other', outcome: 'cancelled' },
  ]);
});
