import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../src/analysis/summary/summary.js';
import type { ToolsReport } from '../../src/analysis/tools/tool-usage.js';
import type { McpCall } from '../../src/journal/mcp-events.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { serverProgram } from '../support/mcp-servers.js';
import { type CheckResult, ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const call = (tool: string) => ({ call: { server: 'faulty', tool } });
const program = serverProgram('faulty-answers-server.mjs');
const malformed = ['no-list', 'null', 'no-content', 'odd-item', 'nothing'];
const noTable = 'Database error: no such table: product';

let suite: ScratchSuite;
let checked: CheckResult;

beforeAll(async () => {
  suite = await ScratchSuite.create({
    servers: { faulty: { command: process.execPath, args: [program], enableAllTools: true } },
    agent: {
      scripted: [
        { when: 'suspect', do: [call('good'), call('error-as-text'), { say: 'done' }] },
        { when: 'failing', do: [call('fails'), call('fails'), { say: 'done' }] },
        { when: 'malformed', do: [...malformed.map(call), call('good'), { say: 'done' }] },
      ],
    },
    tasks: {
      suspect: {
        spec: {
          prompt: { inline: 'suspect' },
          setup: [{ 'faulty.good': {} }],
          verify: [script('cp "$PROCTOR_CALLS" calls.json')],
          assertions: { maxToolErrors: 0, toolsUsed: [{ server: 'faulty', tool: 'good' }] },
        },
      },
      failing: { spec: { prompt: { inline: 'failing' }, verify: [script('true')] } },
      malformed: {
        spec: {
          prompt: { inline: 'malformed' },
          verify: [script('true')],
          assertions: { maxToolErrors: 4 },
        },
      },
    },
  });
  checked = await suite.check(['-v']);
  expect(checked.taskRuns, checked.stderr).toHaveLength(3);
});
afterAll(() => suite.remove());

const taskRun = (task: string) => {
  const found = checked.taskRuns.find((each) => each.task === task);
  if (!found) throw new Error(`no task run of ${task}`);
  return found;
};
const output = async (...args: string[]) => (await suite.proctor(args)).stdout;

describe('an error that is not marked as one', () => {
  it('changes no verdict, and is told in the progress line and in the end', () => {
    expect(taskRun('suspect')).toMatchObject({ outcome: 'passed' });
    expect(checked.stdout + checked.stderr).toContain('2 calls, 1 looks like an error');
    expect(checked.stdout).toContain(
      `faulty.error-as-text: 1 of 1 result looks like an error but is not marked isError (${noTable}): clients and models do not see that it is an error`,
    );
    expect(checked.stdout).toContain('1 suspected error');
  });

  it('is in results, summary, tools and the story', async () => {
    const { calls, callCounts } = taskRun('suspect');
    expect(calls.map(({ suspectedError }) => suspectedError)).toEqual([undefined, noTable]);
    expect(callCounts).toMatchObject({ errors: 0, suspected: 1 });
    const summary: Summary = JSON.parse(await output('summary', 'out.json', '-o', 'json'));
    expect(summary.totals.amounts.calls).toMatchObject({ errors: 7, suspected: 1 });
    expect(await output('summary', 'out.json')).toContain('10, 7 errors, 1 suspected error');
    expect(await output('summary', 'out.json', '-o', 'markdown')).toContain(
      '- calls: 10, 7 errors, 1 suspected error (not marked isError)',
    );
    const tools: ToolsReport = JSON.parse(
      await output('result', 'tools', 'out.json', '-o', 'json'),
    );
    const tool = tools.tools.find((each) => each.tool === 'error-as-text');
    expect(tool).toMatchObject({ errors: 0, suspected: 1 });
    expect(tool?.suspectedTexts).toEqual([{ text: noTable, calls: 1 }]);
    const view = await output('view', 'out.json', '--task', 'suspect');
    expect(view).toContain('faulty.error-as-text  suspect  #2');
    expect(view).toContain('2 calls, 1 looks like an error');
    expect(await output('result', 'convert', 'junit', 'out.json')).toContain(
      `2 tool faulty.error-as-text {} -&gt; looks like an error: ${noTable}`,
    );
  });

  it('is found in old results, in a journal and in results of mcpchecker', async () => {
    const old = JSON.parse(await suite.read('out.json'));
    for (const each of old.taskRuns as TaskRunResult[]) {
      delete each.callCounts.suspected;
      for (const one of each.calls) delete one.suspectedError;
    }
    await suite.write('old.json', JSON.stringify(old));
    await output('result', 'convert', 'mcpchecker', 'out.json', '--output-file', 'theirs.json');
    for (const file of ['old.json', 'out.jsonl', 'theirs.json']) {
      const summary: Summary = JSON.parse(await output('summary', file, '-o', 'json'));
      expect(summary.totals.amounts.calls.suspected, file).toBe(1);
    }
  });
});

describe('a malformed answer', () => {
  it('is an error of the call, and counts for maxToolErrors', async () => {
    const { calls, callCounts, assertions, outcome } = taskRun('malformed');
    expect(outcome).toBe('failed');
    expect(calls.map(({ malformed: fault }) => fault)).toEqual([
      'isError is a string, not true or false',
      'the result is null, not an object',
      'content is missing',
      'content[0] is a string, not an object',
      'it has neither a result nor an error',
      undefined,
    ]);
    expect(calls.map(({ isError }) => isError)).toEqual([true, true, true, true, true, false]);
    expect(callCounts).toMatchObject({ tool: 6, errors: 5 });
    const errors = assertions.find(({ name }) => name === 'maxToolErrors');
    expect(errors).toMatchObject({ passed: false, calls: [1, 2, 3, 4, 5] });
    expect(checked.stdout).toMatch(/2 {2}malformed {2}faulty\.null/);
    expect(await output('view', 'out.json', '--task', 'malformed')).toContain(
      'malformed: content is missing',
    );
    expect(await output('result', 'tools', 'out.json')).toContain('1 of 1 answer is malformed');
  });

  it('does not let the agent wait: one that is none becomes an error', () => {
    const { phases } = taskRun('malformed');
    const told = phases.agent?.steps.flatMap(({ kind, text }) =>
      kind === 'tool-result' ? [text] : [],
    );
    expect(told?.[4]).toContain('malformed: it has neither a result nor an error');
    expect(taskRun('malformed').output).toBe('done');
  });
});

describe('calls that failed', () => {
  it('are told in a green line', () => {
    expect(taskRun('failing').outcome).toBe('passed');
    expect(checked.stdout + checked.stderr).toMatch(/passed failing {2}[^\n]*2 calls, both failed/);
  });
});

describe('numbers of calls', () => {
  const agentCalls = () =>
    checked.events.filter(
      (event): event is typeof event & McpCall =>
        event.type === 'mcp-call' && event.kind === 'tool',
    );

  it('count what the agent called, from 1: neither the protocol nor our own steps', () => {
    for (const task of ['suspect', 'failing', 'malformed']) {
      const { calls } = taskRun(task);
      expect(calls.map((each) => each.call)).toEqual(calls.map((_, index) => index + 1));
    }
    const ofSteps = agentCalls().filter(({ by }) => by === 'harness');
    expect(ofSteps.map((each) => each.call)).toEqual([undefined]);
  });

  it('are those that assertions, reports and scripts have', async () => {
    const used = taskRun('suspect').assertions.find(({ name }) => name === 'toolsUsed');
    expect(used).toMatchObject({ passed: true, calls: [1] });
    const file = taskRun('suspect').path.replace('suspect.yaml', 'calls.json');
    const given: McpCall[] = JSON.parse(await readFile(suite.path(file), 'utf8'));
    expect(given.map((each) => [each.call, each.name])).toEqual([
      [1, 'good'],
      [2, 'error-as-text'],
    ]);
    expect(await output('recheck', 'out.json', '--eval', 'eval.yaml', '-o', 'json')).toContain(
      '"calls"',
    );
  });
});

describe('check --verbose', () => {
  it('shows calls of setup before the agent begins, and no probe as an error', () => {
    const lines = `${checked.stdout}${checked.stderr}`.split('\n');
    expect(lines.filter((line) => line.includes('server/discover'))).toEqual([]);
    const step = lines.findIndex((line) => line.includes('good') && line.includes('(step)'));
    const agent = lines.findIndex((line) => /suspect.*agent.*starts/.test(line));
    expect(step).toBeGreaterThan(-1);
    expect(step).toBeLessThan(agent);
  });
});
