import { RawJson } from '../src/base/json-text.js';
import type { EventBody, JournalEvent } from '../src/journal/event.js';
import type { McpCall } from '../src/journal/mcp-events.js';
import type { RunsDecided } from '../src/journal/run-events.js';
import type { TaskRunEnded } from '../src/journal/task-run-events.js';

/** Events of a check, numbered as a journal would. */
export function numbered(bodies: readonly EventBody[]): JournalEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: '2026-01-01T00:00:00.000Z' }));
}

export const runStarted: EventBody = {
  type: 'run-started',
  schema: 'mcp-proctor/journal/v1',
  proctor: '1.0.0',
  command: 'check',
  mcpServers: [{ name: 'memory', transport: 'stdio' }],
};

export function serverChecked(server: string): EventBody {
  return {
    type: 'server-checked',
    server,
    protocolVersion: '2025-11-25',
    tools: new RawJson('[{"name":"open"},{"name":"close"}]'),
    resources: new RawJson('[]'),
    resourceTemplates: new RawJson('[]'),
    prompts: new RawJson('[{"name":"greet"}]'),
    allowedTools: ['open'],
    durationMs: 120,
  };
}

export function taskRunStarted(task: string, run = 1, runs = 1): EventBody {
  return {
    type: 'task-run-started',
    taskRun: `${task}#${run}`,
    task,
    path: 'task.yaml',
    run,
    runs,
    attempt: 1,
    labels: {},
    workdir: '/work',
    random: { id: 'abc', port: 4000 },
  };
}

export function startedOn(worker: string, task: string, run = 1, runs = 1): EventBody {
  return { ...taskRunStarted(task, run, runs), worker } as EventBody;
}

export function mcpCall(task: string, over: Partial<McpCall> = {}, run = 1): EventBody {
  return {
    type: 'mcp-call',
    taskRun: `${task}#${run}`,
    server: 'memory',
    call: 1,
    kind: 'tool',
    method: 'tools/call',
    name: 'open',
    isError: false,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 12,
    bytes: { request: 1, response: 1 },
    request: 1,
    ...over,
  };
}

export function runsDecided(
  task: string,
  runs: number,
  over: Partial<RunsDecided> = {},
): EventBody {
  const interval = { low: 0.61, high: 1 };
  return { type: 'runs-decided', task, runs, more: 0, passed: 6, judged: 6, interval, ...over };
}

export function taskRunEnded(task: string, over: Partial<TaskRunEnded> = {}): EventBody {
  const { run = 1 } = over;
  return {
    type: 'task-run-ended',
    taskRun: `${task}#${run}`,
    task,
    run,
    outcome: 'passed',
    verified: true,
    assertionsHeld: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1500,
    output: '',
    calls: { tool: 2, resource: 0, prompt: 0, errors: 0, tokens: 40 },
    ...over,
  };
}

/** A task run that did not pass. */
export function taskRunFailed(task: string, over: Partial<TaskRunEnded> = {}): EventBody {
  const failure = {
    category: 'verification-failed',
    message: 'exited with 1',
    evidence: 3,
  } as const;
  return taskRunEnded(task, { outcome: 'failed', verified: false, failure, ...over });
}
