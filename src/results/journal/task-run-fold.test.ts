import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { assertion, call, ended, JournalBuilder, started } from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import { writeResults } from '../write/write-results.js';

async function resultsOf(builder: JournalBuilder) {
  const folder = await mkdtemp(join(tmpdir(), 'task-run-fold-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journal = join(folder, 'out.jsonl');
  const out = join(folder, 'out.json');
  await writeFile(journal, builder.text);
  await writeResults(journal, out);
  return JSON.parse(await readFile(out, 'utf8'));
}

it('records a task run with everything that belongs to it', async () => {
  const builder = new JournalBuilder({ options: { runs: 2 }, taskRuns: 2 });
  const taskRun = 'feed-1';
  const source = { file: 'tasks/feed.yaml', line: 9 };
  builder.add({
    type: 'server-checked',
    server: 'pets',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'pet-server', version: '3' },
    tools: new RawJson('[{"name":"feed","inputSchema":{"type":"object"}}]'),
    resources: new RawJson('[]'),
    resourceTemplates: new RawJson('[]'),
    prompts: new RawJson('[]'),
    allowedTools: ['feed'],
    durationMs: 5,
  });
  builder.add({ type: 'warning', code: 'stream-cut', message: 'of no task run' });
  builder.add(started({ difficulty: 'easy', labels: { area: 'cats' }, runs: 2 }));
  builder.add({ type: 'phase-started', taskRun, phase: 'setup' });
  const step = builder.add({
    type: 'step-ended',
    taskRun,
    phase: 'setup',
    step: 1,
    kind: 'script',
    id: 'prepare',
    source,
    passed: true,
    outcome: 'passed',
    outputs: { stdout: 'ready', exitCode: '0' },
    durationMs: 3,
  });
  builder.add({ type: 'phase-ended', taskRun, phase: 'setup', outcome: 'passed', durationMs: 4 });
  builder.add({ type: 'phase-started', taskRun, phase: 'agent', prompt: 'Feed the cat' });
  const said = builder.add({ type: 'agent-output', taskRun, kind: 'message', text: 'hello' });
  const used = builder.add({
    type: 'agent-output',
    taskRun,
    kind: 'tool-call',
    tool: 'mcp__pets__feed',
    id: 'x',
    args: new RawJson('{"n":12345678901234567890}'),
  });
  const second = builder.add(call({ call: 2, name: 'pets://all', kind: 'resource' }));
  const first = builder.add(
    call({
      args: new RawJson('{"amount":1.0}'),
      result: new RawJson('{"isError":true}'),
      isError: true,
      tokens: { args: 4, result: 5 },
    }),
  );
  builder.add(call({ call: 3, by: 'harness' }));
  builder.add(call({ call: 4, kind: 'other', method: 'tools/list' }));
  builder.add(call({ call: 5, taskRun: 'another' }));
  builder.add({ type: 'phase-ended', taskRun, phase: 'agent', outcome: 'passed', durationMs: 5 });
  const reason = 'pets.stroke was not called';
  const evidence = builder.add(assertion({ passed: false, reason, source }));
  const warning = builder.add({
    type: 'warning',
    taskRun,
    code: 'server-exited',
    server: 'pets',
    message: 'it ended',
    details: 'log',
  });
  const failure = { category: 'assertion-failed', message: 'toolsUsed', evidence } as const;
  builder.add(
    ended({
      outcome: 'failed',
      failure,
      verified: true,
      assertionsHeld: false,
      usage: { inputTokens: 10, outputTokens: 2 },
      cost: 0.5,
      judge: { usage: { inputTokens: 7, outputTokens: 1 } },
      calls: { tool: 1, resource: 1, prompt: 0, errors: 1, tokens: 9 },
      permissionDenials: [{ tool: 'Bash' }],
      workdir: '/kept',
      waitedMs: 1_200,
    }),
  );
  builder.add({ type: 'run-ended', durationMs: 777, calls: 5 });

  const results = await resultsOf(builder);
  expect(results).toMatchObject({
    schema: 'mcp-proctor/results/v1',
    proctor: '0.1.0',
    eval: { name: 'pets', file: 'eval.yaml' },
    journal: 'out.jsonl',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 777,
    agent: { name: 'scripted', type: 'scripted' },
    judge: null,
    options: { runs: 2 },
    finished: true,
    interrupted: false,
    resumed: 0,
    mcpServers: [
      {
        name: 'pets',
        transport: 'stdio',
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'pet-server', version: '3' },
        tools: [{ name: 'feed', inputSchema: { type: 'object' } }],
        allowedTools: ['feed'],
      },
    ],
    warnings: [{ message: 'of no task run' }],
    totals: {
      planned: 2,
      notRun: 1,
      tasks: 1,
      outcomes: { passed: 0, failed: 1, timeout: 0, error: 0, cancelled: 0 },
      byDifficulty: { easy: { taskRuns: 1, passed: 0 } },
      byLabel: { area: { cats: { taskRuns: 1, passed: 0 } } },
      calls: { tool: 1, resource: 1, prompt: 0, errors: 1, tokens: 9 },
      usage: { inputTokens: 10, outputTokens: 2 },
      cost: 0.5,
      judge: { usage: { inputTokens: 7, outputTokens: 1 }, cost: null },
    },
  });
  const common = { server: 'pets', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 10 };
  expect(results.taskRuns).toEqual([
    {
      id: 'feed-1',
      task: 'feed',
      path: 'tasks/feed.yaml',
      difficulty: 'easy',
      labels: { area: 'cats' },
      variant: null,
      run: 1,
      runs: 2,
      attempt: 1,
      prompt: 'Feed the cat',
      outcome: 'failed',
      failure,
      verified: true,
      assertionsHeld: false,
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 100,
      output: 'done',
      phases: {
        setup: {
          outcome: 'passed',
          durationMs: 4,
          steps: [
            {
              seq: step,
              step: 1,
              kind: 'script',
              id: 'prepare',
              at: source,
              passed: true,
              outcome: 'passed',
              outputs: { stdout: 'ready', exitCode: '0' },
              durationMs: 3,
            },
          ],
        },
        agent: {
          outcome: 'passed',
          durationMs: 5,
          steps: [
            { seq: said, kind: 'message', text: 'hello' },
            {
              seq: used,
              kind: 'tool-call',
              tool: 'mcp__pets__feed',
              id: 'x',
              args: { n: JSON.parse('12345678901234567890') },
            },
          ],
        },
        verify: null,
        cleanup: null,
      },
      assertions: [
        {
          name: 'toolsUsed',
          passed: false,
          reason: 'pets.stroke was not called',
          details: [],
          at: source,
          calls: [1],
        },
      ],
      calls: [
        {
          ...common,
          seq: first,
          call: 1,
          kind: 'tool',
          name: 'feed',
          args: { amount: 1 },
          result: { isError: true },
          error: null,
          isError: true,
          blocked: false,
          tokens: { args: 4, result: 5 },
        },
        {
          ...common,
          seq: second,
          call: 2,
          kind: 'resource',
          name: 'pets://all',
          args: null,
          result: null,
          error: null,
          isError: false,
          blocked: false,
          tokens: null,
        },
      ],
      callCounts: { tool: 1, resource: 1, prompt: 0, errors: 1, tokens: 9, suspected: 0 },
      usage: { inputTokens: 10, outputTokens: 2 },
      cost: 0.5,
      judge: { usage: { inputTokens: 7, outputTokens: 1 }, cost: null },
      permissionDenials: [{ tool: 'Bash' }],
      cleanupFailed: false,
      workdir: '/kept',
      waitedMs: 1_200,
      warnings: [
        {
          seq: warning,
          code: 'server-exited',
          server: 'pets',
          message: 'it ended',
          details: 'log',
        },
      ],
    },
  ]);
});

it('records what a step did', async () => {
  const builder = new JournalBuilder();
  const taskRun = 'feed-1';
  builder.add(started());
  builder.add({ type: 'phase-started', taskRun, phase: 'verify' });
  const account = {
    request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
    response: { status: 500, headers: {}, bytes: 3 },
    log: [{ level: 'info', message: 'hello' }],
    judgement: {
      mode: 'exact' as const,
      reference: '42',
      passed: false,
      reason: 'it says 43',
      failureCategory: 'semantic_mismatch' as const,
      votes: [{ passed: false, reason: 'it says 43', attempts: 1 }],
    },
    unmet: ['status is 500, expected 200'],
  };
  builder.add({
    type: 'step-ended',
    taskRun,
    phase: 'verify',
    step: 1,
    kind: 'pets.feed',
    source: { file: 'tasks/feed.yaml', line: 9 },
    passed: false,
    outcome: 'failed',
    outputs: {},
    truncated: ['body'],
    files: { body: 'out.files/body.txt' },
    durationMs: 3,
    args: new RawJson('{"amount":2}'),
    ...account,
  });
  builder.add(ended({ outcome: 'failed' }));
  const { taskRuns } = await resultsOf(builder);
  expect(taskRuns[0].phases.verify.steps).toEqual([
    {
      seq: expect.any(Number),
      step: 1,
      kind: 'pets.feed',
      at: { file: 'tasks/feed.yaml', line: 9 },
      passed: false,
      outcome: 'failed',
      outputs: {},
      truncated: ['body'],
      files: { body: 'out.files/body.txt' },
      durationMs: 3,
      args: { amount: 2 },
      ...account,
    },
  ]);
});
