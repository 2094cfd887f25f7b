import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Of results, or of a journal. */
export interface LargeSize {
  taskRuns: number;
  /** Of one task run. */
  calls: number;
  /** Of the result of one call. */
  resultBytes: number;
  /** Of the answer of the agent. */
  answerBytes?: number;
}

/** Writes results as a check would: every fifth run of a task fails. */
export async function writeLargeResults(path: string, size: LargeSize): Promise<void> {
  const file = createWriteStream(path);
  const write = async (text: string) => {
    if (!file.write(text)) await once(file, 'drain');
  };
  await write(`${JSON.stringify(head(size.taskRuns)).slice(0, -1)},\n"taskRuns":[`);
  const callTexts = Array.from({ length: size.calls }, (_, index) => callText(index + 1, size));
  const calls = `[${callTexts.join(',')}]`;
  const output = 'I fed the cat.\n'.repeat(Math.ceil((size.answerBytes ?? 15) / 15));
  for (let index = 0; index < size.taskRuns; index++) {
    const text = JSON.stringify({ ...taskRun(index), output }).slice(0, -1);
    await write(`${index > 0 ? ',' : ''}\n${text},"calls":${calls}}`);
  }
  file.end('\n]}\n');
  await once(file, 'finish');
}

const runsOfTask = 10;
const startedAt = '2026-01-31T12:00:00.000Z';
const noCalls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };

function head(planned: number) {
  return {
    schema: 'mcp-proctor/results/v1',
    ...{ proctor: '0.1.0', id: 'large', eval: { name: 'large', file: 'eval.yaml' } },
    ...{ journal: 'large.jsonl', startedAt, durationMs: 1000 },
    agent: { name: 'scripted', type: 'scripted' },
    judge: null,
    mcpServers: [{ name: 'pets', transport: 'stdio', tools: [{ name: 'feed' }] }],
    ...{ options: {}, environment: { node: 'v22.0.0', platform: 'linux', arch: 'x64' } },
    ...{ finished: true, interrupted: false, bailed: false, resumed: 0 },
    totals: {
      ...{ planned, notRun: 0, tasks: planned / runsOfTask },
      outcomes: { passed: planned, failed: 0, timeout: 0, error: 0, cancelled: 0 },
      ...{ byDifficulty: {}, byLabel: {}, calls: noCalls, usage: null, cost: null },
      judge: { usage: null, cost: null },
    },
    warnings: [],
  };
}

function taskRun(index: number) {
  const task = `task-${Math.floor(index / runsOfTask)}`;
  const run = (index % runsOfTask) + 1;
  const passed = run % 5 !== 0;
  const reason = 'pets.feed was called';
  return {
    ...{ id: `${task}-${run}`, task, path: `tasks/${task}.yaml`, difficulty: 'easy' },
    ...{ labels: { area: 'pets' }, variant: null, run, runs: runsOfTask, attempt: 1 },
    ...{ prompt: 'Feed the cat', outcome: passed ? 'passed' : 'failed' },
    failure: passed
      ? null
      : { category: 'assertion-failed', message: 'toolsUsed: not called', evidence: 3 },
    ...{ verified: null, assertionsHeld: passed, startedAt, durationMs: 100 + run },
    phases: {
      setup: null,
      agent: { outcome: 'passed', durationMs: 50, steps: [] },
      ...{ verify: null, cleanup: null },
    },
    assertions: [
      {
        ...{ name: 'toolsUsed', passed, reason, details: [] },
        ...{ at: { file: 'eval.yaml', line: 12 }, calls: [1] },
      },
    ],
    ...{ callCounts: { ...noCalls, tool: 1 }, usage: { inputTokens: 900, outputTokens: 80 } },
    ...{ cost: 0.01, judge: null, permissionDenials: [], cleanupFailed: false, warnings: [] },
  };
}

function callText(call: number, { resultBytes }: LargeSize): string {
  const text = 'a "quoted" line\n'.repeat(Math.ceil(resultBytes / 16));
  return JSON.stringify({
    ...{ seq: call, call, kind: 'tool', server: 'pets', name: 'feed', args: { cat: 'Tom' } },
    result: { content: [{ type: 'text', text }] },
    ...{ error: null, isError: false, blocked: false, startedAt, durationMs: 12.5 },
    tokens: { args: 5, result: 900 },
  });
}
