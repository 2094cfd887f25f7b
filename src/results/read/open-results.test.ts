import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import type { ReadOptions } from '../results-file.js';
import { taskRunSchema } from '../schema/task-run-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { writeResults } from '../write/write-results.js';
import { openResultsFile } from './open-results.js';

let folder = '';
let path = '';
let journal = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-results-'));
  path = join(folder, 'results.json');
  journal = join(folder, 'out.jsonl');
});

afterAll(() => rm(folder, { recursive: true }));

async function read(from: string, options?: ReadOptions) {
  const { header, taskRuns, leftOut } = await openResultsFile(from);
  const all: TaskRunRecord[] = [];
  for await (const taskRun of taskRuns(options)) all.push(taskRun);
  return { header, taskRuns: all, leftOut: leftOut() };
}

async function readContent(content: unknown) {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return read(path);
}

function journalOfTwo(): JournalBuilder {
  const builder = new JournalBuilder({ taskRuns: 3 });
  builder.add({ ...started(), taskRun: 'feed-1' });
  for (const event of agentFinished()) builder.add(event);
  builder.add(call({ result: new RawJson('{"content":[]}') }));
  builder.add(assertion());
  builder.add(ended());
  builder.add(started({ taskRun: 'b-1', task: 'b' }));
  builder.add(ended({ taskRun: 'b-1', task: 'b', outcome: 'failed' }));
  builder.add(started({ taskRun: 'c-1', task: 'c' }));
  return builder;
}

describe('openResultsFile of our own', () => {
  it('says the same of a journal and of the results made from it', async () => {
    const builder = journalOfTwo();
    builder.add(ended({ taskRun: 'c-1', task: 'c' }));
    builder.add({ type: 'run-ended', durationMs: 10, calls: 1 });
    await writeFile(journal, builder.text);
    await writeResults(journal, path);
    const results = await read(path);
    const fromJournal = await read(journal);
    expect(fromJournal.taskRuns).toEqual(results.taskRuns);
    expect(fromJournal.header).toEqual({ ...results.header, kind: 'journal' });
    expect(results.header).toMatchObject({
      kind: 'results',
      id: 'evaluation-1',
      evaluations: ['evaluation-1'],
      eval: { name: 'pets' },
      finished: true,
      planned: 3,
      open: [],
    });
    const { taskRuns } = JSON.parse(await readFile(path, 'utf8'));
    expect(results.taskRuns).toEqual(taskRuns);
  });

  it('reads calls of a journal whose arguments, results and errors are nested deeper than a stack', async () => {
    const builder = new JournalBuilder({ taskRuns: 1 });
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    builder.add(started());
    builder.add(
      call({ args: new RawJson(deep), result: new RawJson(`{"content":[],"x":${deep}}`) }),
    );
    const error = new RawJson(`{"code":-32000,"message":"no","data":${deep}}`);
    builder.add(call({ call: 2, isError: true, result: undefined, error }));
    builder.add(ended());
    await writeFile(journal, builder.text);
    const { taskRuns, leftOut } = await read(journal);
    expect(taskRuns.map(({ calls }) => calls.map((made) => made.call))).toEqual([[1, 2]]);
    expect(leftOut.count).toBe(0);
  });

  it('names the task runs that have begun in a journal, and have no verdict', async () => {
    await writeFile(journal, `${journalOfTwo().text}{"seq":1`);
    const { header, taskRuns } = await read(journal);
    expect(header).toMatchObject({ finished: false, planned: 3, open: [{ task: 'c', run: 1 }] });
    expect(taskRuns.map(({ task }) => task)).toEqual(['feed', 'b']);
  });

  it('does not take task runs for open whose process is gone', async () => {
    const builder = journalOfTwo();
    builder.add({
      type: 'run-resumed',
      proctor: '0.1.0',
      missing: 1,
      process: { pid: 2, startTime: '2' },
      workspace: '/tmp/proctor-2',
    });
    await writeFile(journal, builder.text);
    expect((await read(journal)).header.open).toEqual([]);
  });

  it('leaves results of calls out of a journal if asked to', async () => {
    await writeFile(journal, journalOfTwo().text);
    const [whole, without] = [
      await read(journal),
      await read(journal, { withoutCallResults: true }),
    ];
    expect(whole.taskRuns[0]?.calls[0]?.result).toEqual({ content: [] });
    expect(without.taskRuns[0]?.calls[0]?.result).toBeNull();
  });

  it('finds what is behind the task runs, in whatever order', async () => {
    await writeFile(journal, journalOfTwo().text);
    await writeResults(journal, path);
    const expected = await read(path);
    const members = Object.entries(JSON.parse(await readFile(path, 'utf8')));
    expect(await readContent(Object.fromEntries(members.toReversed()))).toEqual(expected);
  });

  it('reads no further than the task runs for what stands before them', async () => {
    await writeFile(journal, journalOfTwo().text);
    await writeResults(journal, path);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, text.indexOf('"taskRuns"')));
    expect((await openResultsFile(path)).header.id).toBe('evaluation-1');
    await expect(read(path)).rejects.toMatchObject({ code: 'damaged-results' });
  });

  it.each([
    ['"outcome":"failed"', '"outcome":"superb"', /line \d+, outcome: expected .* found "superb"/],
    ['"taskRuns":3', '"taskRuns":-1', /line 1, evaluation.taskRuns: expected .* found -1/],
    [
      '"options":{}',
      `"options":{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      /line 1, evaluation.options.x: expected .* found a list/,
    ],
  ])('does not trust a journal more than results: %s', async (found, put, reason) => {
    const { text } = journalOfTwo();
    expect(text).toContain(found);
    await writeFile(journal, text.replace(found, put));
    const { header, taskRuns, leftOut } = await read(journal);
    expect(leftOut.parts.map(formatLeftOut)).toEqual([expect.stringMatching(reason)]);
    expect(header).toMatchObject({ kind: 'journal', id: 'evaluation-1' });
    expect(taskRuns.map(({ outcome }) => outcome)).not.toContain('superb');
  });

  it('names the file that is a folder', async () => {
    await expect(openResultsFile(folder)).rejects.toMatchObject({ code: 'EISDIR', path: folder });
  });

  it.each(['id', 'agent', 'totals', 'mcpServers'])('reads results without %s', async (key) => {
    await writeFile(journal, journalOfTwo().text);
    await writeResults(journal, path);
    const { taskRuns: before } = await read(path);
    const { [key]: _, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    const { taskRuns, leftOut } = await readContent(rest);
    expect(taskRuns).toEqual(before);
    expect(leftOut.parts).toEqual([expect.objectContaining({ place: key, found: 'nothing' })]);
  });
});

describe('openResultsFile of mcpchecker', () => {
  const result = {
    taskName: 'silences',
    taskPath: './tasks/silences.yaml',
    taskPassed: true,
    taskOutput: 'none',
    taskJudgeReason: 'it says so',
    difficulty: 'easy',
    runIndex: 1,
    totalRuns: 3,
    assertionResults: { toolsUsed: { passed: true }, __proto__: null },
    allAssertionsPassed: true,
    callHistory: {
      ToolCalls: [
        {
          serverName: 'obs',
          timestamp: '2026-07-01T18:13:30.229659832+02:00',
          success: true,
          name: 'list',
          result: { content: [{ type: 'text', text: 'x' }] },
          tokens: { inputTokens: 14, outputTokens: 475, totalTokens: 489 },
          request: { Params: { name: 'list', arguments: { q: 'a' } } },
        },
      ],
    },
    tokenEstimate: {
      totalTokens: 900,
      mcpSchemaTokens: 600,
      actual: { inputTokens: 700, outputTokens: 100, cachedReadTokens: 5 },
    },
    judgeTokenUsage: { inputTokens: 7, outputTokens: 8 },
    setupOutput: { Steps: [{ type: 'script', success: true, outputs: { stdout: 'ok' } }] },
    agentOutput: {
      Success: true,
      agentDetails: {
        outputSteps: [
          { type: 'thinking', content: 'hm' },
          {
            type: 'tool_call',
            toolCall: { title: 'list', status: 'failed', rawInput: { q: 'a' }, rawOutput: 'x' },
          },
          { type: 'message', content: 'none' },
        ],
      },
    },
    verifyOutput: {
      Success: true,
      Steps: [{ type: 'llmJudge', success: true, message: 'it says so' }],
    },
    cleanupOutput: { Success: false, Error: 'no' },
  };
  const summary = {
    agent: { type: 'builtin.llm-agent', name: 'nano', model: 'openai:gpt-5-nano' },
    mcpServers: [{ name: 'obs', type: 'http', url: 'http://localhost:9100/mcp' }],
  };

  it('gives all that it knows in our own shape', async () => {
    const { header, taskRuns } = await readContent({ summary, results: [result] });
    expect(header).toMatchObject({
      kind: 'mcpchecker',
      id: null,
      agent: { name: 'nano', type: 'llm-agent', model: 'openai:gpt-5-nano' },
      judge: null,
      mcpServers: [{ name: 'obs', transport: 'http' }],
      finished: true,
    });
    const [taskRun] = taskRuns;
    expect(z.safeParse(taskRunSchema, taskRun).error).toBeUndefined();
    expect(taskRun).toMatchObject({
      task: 'silences',
      path: './tasks/silences.yaml',
      difficulty: 'easy',
      run: 2,
      runs: 3,
      outcome: 'passed',
      failure: null,
      verified: true,
      assertionsHeld: true,
      durationMs: null,
      output: 'none',
      usage: { inputTokens: 700, outputTokens: 100, cachedInputTokens: 5 },
      estimate: { tokens: 900, schemaTokens: 600 },
      judge: { usage: { inputTokens: 7, outputTokens: 8 } },
      callCounts: { tool: 1, errors: 0, tokens: 489 },
      calls: [{ name: 'list', args: { q: 'a' }, tokens: { args: 14, result: 475 } }],
      cleanupFailed: true,
      phases: {
        setup: { outcome: 'passed', steps: [{ kind: 'script', outputs: { stdout: 'ok' } }] },
        agent: {
          outcome: 'passed',
          steps: [
            { kind: 'thinking', text: 'hm' },
            { kind: 'tool-call', tool: 'list', id: '2', args: { q: 'a' } },
            { kind: 'tool-result', id: '2', isError: true, text: 'x' },
            { kind: 'message', text: 'none' },
          ],
        },
        verify: { steps: [{ kind: 'llmJudge', passed: true, message: 'it says so' }] },
        cleanup: { outcome: 'failed', message: 'no' },
      },
    });
  });

  it('finds a summary behind the results, and does without one', async () => {
    const behind = await readContent({ results: [result], summary });
    expect(behind.header.agent?.name).toBe('nano');
    const bare = await readContent([result]);
    expect(bare.header.agent).toBeNull();
    expect(bare.taskRuns).toEqual(behind.taskRuns);
  });

  it.each([
    [{ taskPassed: true, allAssertionsPassed: false }, 'failed', 'assertion-failed', true],
    [
      { allAssertionsPassed: null, assertionResults: { toolsUsed: { passed: false } } },
      ...(['failed', 'assertion-failed', true] as const),
    ],
    [{ taskPassed: false }, 'failed', 'verification-failed', false],
    [{ taskPassed: false, timedOut: true }, 'timeout', 'timeout', null],
    [{ taskPassed: false, agentExecutionError: true }, 'error', 'agent-failed', null],
    [{ taskPassed: false, setupOutput: { Success: false } }, 'error', 'setup-failed', null],
  ])('says why it did not pass: %j', async (more, outcome, category, verified) => {
    const { taskRuns } = await readContent([{ ...result, ...more }]);
    expect(taskRuns[0]).toMatchObject({ outcome, failure: { category }, verified });
  });

  it('counts runs that do not say which they are', async () => {
    const { taskRuns } = await readContent([
      { taskName: 'a' },
      { taskName: 'a' },
      { taskName: 'a', runIndex: 1 },
    ]);
    expect(taskRuns.map(({ id, run }) => [id, run])).toEqual([
      ['a-1', 1],
      ['a-2', 2],
      ['a-3', 3],
    ]);
  });

  it('never takes what says nothing for a pass', async () => {
    const { taskRuns } = await readContent([{ taskName: 'a' }]);
    expect(taskRuns[0]).toMatchObject({ outcome: 'error', verified: null, assertionsHeld: null });
  });
});
