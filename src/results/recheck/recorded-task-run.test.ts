import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { writeResults } from '../write/write-results.js';
import { type RecordedTaskRun, readRecordedTaskRuns } from './recorded-task-run.js';

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-results-'));
  path = join(folder, 'results.json');
});

afterAll(() => rm(folder, { recursive: true }));

async function readFrom(from: string): Promise<RecordedTaskRun[]> {
  const taskRuns: RecordedTaskRun[] = [];
  for await (const taskRun of readRecordedTaskRuns(from)) taskRuns.push(taskRun);
  return taskRuns;
}

async function read(content: unknown): Promise<RecordedTaskRun[]> {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readFrom(path);
}

describe('readTaskRuns of our own', () => {
  const builder = new JournalBuilder({ taskRuns: 2 });
  builder.add(started());
  for (const event of agentFinished()) builder.add(event);
  builder.add({
    type: 'agent-output',
    taskRun: 'feed-1',
    kind: 'tool-call',
    tool: 'Skill',
    args: new RawJson('{"skill":"cats"}'),
  });
  builder.add(call({ args: new RawJson('{"a":1}'), isError: true }));
  builder.add(call({ call: 2, name: 'sell', blocked: true }));
  builder.add(assertion());
  builder.add(ended());
  builder.add(started({ taskRun: 'b', task: 'b', run: 2 }));
  const message = 'step 1 failed';
  const failure = { category: 'setup-failed', message, evidence: 1 } as const;
  builder.add(ended({ taskRun: 'b', task: 'b', run: 2, outcome: 'error', failure }));

  const expected = [
    {
      task: 'feed',
      run: 1,
      outcome: 'passed',
      unfinished: undefined,
      assertions: [
        {
          name: 'toolsUsed',
          passed: true,
          reason: 'pets.feed was called',
          at: { file: 'eval.yaml', line: 12 },
        },
      ],
      calls: [
        { number: 1, kind: 'tool', server: 'pets', name: 'feed', args: { a: 1 }, isError: true },
        { number: 2, name: 'sell', args: undefined, blocked: true },
      ],
      toolSteps: [{ tool: 'Skill', args: { skill: 'cats' } }],
    },
    {
      task: 'b',
      run: 2,
      outcome: 'error',
      unfinished: 'the agent did not run: step 1 failed',
      calls: [],
    },
  ];

  it('says the same of a journal and of the results made from it', async () => {
    const journal = join(folder, 'out.jsonl');
    await writeFile(journal, builder.text);
    await writeResults(journal, path);
    expect(await readFrom(path)).toMatchObject(expected);
    // What only the journal has.
    const random = { id: 'a1', port: 4000 };
    const taskRuns = await readFrom(path);
    expect(await readFrom(journal)).toEqual(taskRuns.map((each) => ({ ...each, random })));
  });

  it('takes results that another program wrote anew, in another order', async () => {
    const journal = join(folder, 'out.jsonl');
    await writeFile(journal, builder.text);
    await writeResults(journal, path);
    const taskRuns = await readFrom(path);
    const { schema, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    expect(await read(JSON.stringify({ ...rest, schema }, null, 2))).toEqual(taskRuns);
  });
});

describe('readTaskRuns of mcpchecker', () => {
  const at = (fraction: string) => `2026-07-01T18:13:30.${fraction}+02:00`;
  const tool = (name: string, timestamp: string, more: object = {}) => ({
    serverName: 'obs',
    timestamp,
    success: true,
    name,
    result: { content: [] },
    request: { Session: {}, Params: { name, arguments: { q: name } }, Extra: {} },
    ...more,
  });
  const result = {
    taskName: 'silences',
    taskPassed: true,
    assertionResults: { toolsUsed: { passed: false, reason: 'not called' }, callOrder: null },
    callHistory: {
      ToolCalls: [
        tool('first', at('000000001')),
        tool('third', at('000000003'), { result: { isError: true } }),
        tool('fifth', at('9'), { success: false, request: null }),
      ],
      ResourceReads: [
        { serverName: 'obs', timestamp: at('000000002'), success: true, uri: 'a://b' },
      ],
      PromptGets: [{ ...tool('fourth', at('5')), success: false }],
    },
  };

  it.each([
    ['with a summary', { summary: {}, results: [result] }],
    ['as a bare list', [result]],
  ])('reads them %s, calls in order of time', async (_, content) => {
    const [taskRun, ...more] = await read(content);
    expect(more).toEqual([]);
    expect(taskRun).toMatchObject({
      task: 'silences',
      run: 1,
      unfinished: undefined,
      assertions: [{ name: 'toolsUsed', passed: false, reason: 'not called', at: null }],
      toolSteps: undefined,
    });
    expect(
      taskRun?.calls.map(({ number, kind, name, isError, args }) => [
        number,
        kind,
        name,
        isError,
        args,
      ]),
    ).toEqual([
      [1, 'tool', 'first', false, { q: 'first' }],
      [2, 'resource', 'a://b', false, undefined],
      [3, 'tool', 'third', true, { q: 'third' }],
      [4, 'prompt', 'fourth', true, { q: 'fourth' }],
      [5, 'tool', 'fifth', true, undefined],
    ]);
  });

  it('takes null wherever there may be nothing', async () => {
    const nothing = { ToolCalls: null, ResourceReads: null, PromptGets: null };
    const taskRuns = await read([
      { taskName: 'a', callHistory: null, assertionResults: null },
      { taskName: 'a', runIndex: 1, callHistory: nothing },
      { taskName: 'a', runIndex: 2 },
    ]);
    expect(taskRuns.map(({ run, calls }) => ({ run, calls }))).toEqual([
      { run: 1, calls: [] },
      { run: 2, calls: [] },
      { run: 3, calls: [] },
    ]);
  });

  it('keeps calls in their order where a time is missing', async () => {
    const [taskRun] = await read([
      {
        taskName: 'a',
        callHistory: { ToolCalls: [tool('b', at('9')), tool('a', ''), tool('c', at('1'))] },
      },
    ]);
    expect(taskRun?.calls.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });

  it.each([
    [{ assertionResults: null, allAssertionsPassed: true }, 'passed', undefined],
    [{ assertionResults: null }, 'error', undefined],
    [{ assertionResults: { maxToolCalls: { passed: true } } }, 'passed', undefined],
    [{ allAssertionsPassed: false }, 'failed', undefined],
    [{ taskPassed: false, agentOutput: { Success: true } }, 'failed', undefined],
    [
      { setupOutput: { Success: false, Error: 'no pod' } },
      'error',
      'the agent did not run: setup failed: no pod',
    ],
    [
      { timedOut: true, taskError: 'x' },
      'timeout',
      'the agent did not finish: the time limit was reached: x',
    ],
    [{ agentExecutionError: true }, 'error', 'the agent did not finish: the agent failed'],
    [
      { agentOutput: { Success: false, Error: 'x' } },
      'error',
      'the agent did not finish: the agent failed: x',
    ],
  ])('says how it ended, and whether the agent did: %j', async (more, outcome, unfinished) => {
    const taskPassed = outcome !== 'timeout' && unfinished === undefined;
    const [taskRun] = await read([{ ...result, taskPassed, ...more }]);
    expect(taskRun).toMatchObject({ outcome, unfinished });
  });
});

describe('readTaskRuns of something else', () => {
  const own = { schema: 'mcp-proctor/results/v1' };

  it.each([
    ['hello', 'not-results', 'invalid JSON: expected an object or an array (byte 1)'],
    ['', 'not-results', 'it ends too early (byte 1)'],
    ['{}', 'not-results', 'JSON that lists no task runs'],
    ['[]', 'not-results', 'JSON that lists no task runs'],
    ['[{"name":"x"}]', 'not-results', 'a list of something else'],
    ['{"results":["x"]}', 'not-results', 'a list of something else'],
    ['{"schema":"other/v1","taskRuns":[]}', 'not-results', 'other/v1'],
    [
      '{ "seq": 1, "type": "run-started", "schema": "mcp-proctor/journal/v1" }',
      'not-results',
      'is a journal, but not as Proctor wrote it',
    ],
    ['{"schema":"mcp-proctor/results/v2"}', 'newer-results', 'newer Proctor'],
    ['{"schema":', 'not-results', 'it ends too early'],
    [`${JSON.stringify(own).slice(0, -1)},`, 'damaged-results', 'it ends too early'],
  ])('refuses %s', async (content, code, reason) => {
    const error = await read(content).catch((each: unknown) => each);
    expect(error).toMatchObject({ name: 'UnreadableResultsError', code, path });
    expect(String(error)).toContain(reason);
  });

  it.each([
    ['{"taskRuns":[{}]}', 'taskRuns[0].variant: expected a string or null, found nothing'],
    [JSON.stringify({ ...own, taskRuns: [null] }), 'taskRuns[0]: expected an object, found null'],
    [`${JSON.stringify(own).slice(0, -1)},"taskRuns":[{"x":NaN}]}`, 'taskRuns[0]: expected JSON'],
    [JSON.stringify({ ...own, taskRuns: {} }), 'taskRuns: expected a list, found {}'],
    [JSON.stringify(own), 'taskRuns: expected a list, found nothing'],
    ['[{"taskName":"a"},{"taskName":1}]', '[1].taskName: expected a string, found 1'],
    ['[null,{"taskName":"a"}]', '[0]: expected an object, found null'],
  ])('says what is left out of %s', async (content, reason) => {
    await writeFile(path, content);
    let parts: string[] = [];
    const reading = readRecordedTaskRuns(path, (leftOut) => {
      parts = leftOut.parts.map(formatLeftOut);
    });
    const taskRuns: RecordedTaskRun[] = [];
    for await (const taskRun of reading) taskRuns.push(taskRun);
    expect(taskRuns.map(({ task }) => task)).toEqual(content.includes('"a"') ? ['a'] : []);
    expect(parts).toContainEqual(expect.stringContaining(reason));
  });

  it.each(['{"results":null}', '{"results":[]}', '{"summary":{},"results":null}'])(
    'takes %s for a run without tasks',
    async (content) => {
      expect(await read(content)).toEqual([]);
    },
  );

  it('refuses the record of a proxy', async () => {
    const text = new JournalBuilder().text
      .replace(/"evaluation":\{.*\}/, '"x":{}}')
      .replace('"command":"check"', '"command":"proxy"');
    await expect(read(text)).rejects.toMatchObject({ code: 'not-an-evaluation' });
  });

  it.each([
    ['verify', 7],
    ['verify', [{ type: 'script', digest: 7 }]],
    ['assertions', { toolsUsed: 7 }],
    ['judge', 7],
    ['timeoutMs', 'x'],
  ])('does not know a part of what judged a task run that is odd: %s %j', async (part, odd) => {
    const builder = new JournalBuilder();
    const judging = { prompt: 'p', verify: [], assertions: {}, judge: null, timeoutMs: null };
    builder.add(started({ judging }));
    builder.add(ended());
    const journal = join(folder, 'out.jsonl');
    await writeFile(journal, builder.text);
    await writeResults(journal, path);
    const results = JSON.parse(await readFile(path, 'utf8'));
    results.taskRuns[0].judging[part] = odd;
    await writeFile(path, JSON.stringify(results));
    const { [part as keyof typeof judging]: _, ...others } = judging;
    const [taskRun] = await read(results);
    expect(taskRun?.judging).toEqual(others);
  });

  it('takes our results without their schema, and says that it is missing', async () => {
    const journal = join(folder, 'out.jsonl');
    const builder = new JournalBuilder();
    builder.add(started());
    builder.add(ended());
    await writeFile(journal, builder.text);
    await writeResults(journal, path);
    const { schema: _, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    expect(await read(rest)).toMatchObject([{ task: 'feed', outcome: 'passed' }]);
    let count = 0;
    const reading = readRecordedTaskRuns(path, (leftOut) => {
      count = leftOut.count;
    });
    for await (const _ of reading) expect(count).toBe(0);
    expect(count).toBe(1);
  });
});
