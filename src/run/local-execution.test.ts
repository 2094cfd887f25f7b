import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Agent } from '../agents/agent.js';
import { Redactor } from '../config/secrets/redactor.js';
import { Secrets } from '../config/secrets/secrets.js';
import { Extensions } from '../extensions/extensions.js';
import { makeLocalLimits } from '../limits/limits.js';
import type { PlannedTask } from '../plan/plan.js';
import { EventStream } from './journal/event-stream.js';
import { JournalWriter } from './journal/journal-writer.js';
import { LocalExecution, type LocalExecutionOptions } from './local-execution.js';
import type { PreviousRun } from './resume/previous-run.js';
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

/** An execution of tasks that run beside each other, each once. */
function createExecution(
  agent: Agent,
  names: readonly string[],
  journalPath: string,
  options: Partial<LocalExecutionOptions> = {},
): LocalExecution {
  const tasks = names.map(task);
  const taskRuns = tasks.map((each) => ({ task: each, run: 1, parallel: true }));
  return new LocalExecution({
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
    hasEarlier: () => false,
    replaceEarlier: async () => {},
    ...options,
  });
}

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
  const execution = createExecution(agent, ['bug', 'other'], journalPath);

  await expect(execution.execute()).rejects.toThrow('BigInt');

  expect(isStopped).toBe(true);
  const lines = (await readFile(journalPath, 'utf8')).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', interrupted: true });
  expect(events.filter(({ type }) => type === 'task-run-ended')).toMatchObject([
    { task: 'other', outcome: 'cancelled' },
  ]);
});

const idleAgent: Agent = {
  identity: { name: 'agent', type: 'scripted' },
  prepare: async () => ({ problems: [] }),
  run: async () => ({ end: 'finished', output: '' }),
};

it('the journal of a resumed run is closed if cleaning up after its killed process throws', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journalPath = join(folder, 'out.jsonl');
  await writeFile(journalPath, '');
  const close = vi.spyOn(JournalWriter.prototype, 'close');
  onTestFinished(() => close.mockRestore());
  const previous = {
    lastSeq: 0,
    length: 0,
    record: { id: 'evaluation-of-a-cleanup' },
    workspaces: [],
    kept: [],
    lastAttempts: new Map(),
    get cutOff(): never {
      throw new Error('there is a bug in cleaning up');
    },
  } as unknown as PreviousRun;
  const execution = createExecution(idleAgent, ['a'], journalPath, { previous });

  await expect(execution.execute()).rejects.toThrow('a bug in cleaning up');

  expect(close).toHaveBeenCalled();
});

it('an event reaches listeners with the time that the journal has, which never decreases', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'out.jsonl');
  const times = [2000, 1000, 3000];
  const redactor = new Redactor(new Secrets());
  const now = () => times.shift() ?? 0;
  const journal = await JournalWriter.create(path, { redactor, now });
  const seen: string[] = [];
  const events = new EventStream(journal, ({ at }) => seen.push(at));
  for (const message of ['a', 'b', 'c']) {
    events.write({ type: 'warning', message } as Parameters<EventStream['write']>[0]);
  }
  await journal.close();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(seen).toEqual(lines.map((line) => JSON.parse(line).at));
  expect(seen.map((at) => Date.parse(at))).toEqual([2000, 2000, 3000]);
});
