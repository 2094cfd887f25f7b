import { describe, expect, it } from 'vitest';
import {
  callRecord,
  failedCall,
  resultsHeader,
  taskRunRecord,
} from '../../../testing/task-run-records.js';
import type { ResultsHeader } from '../../results/results-header.js';
import type { CallRecord, TaskRunRecord } from '../../results/task-run-record.js';
import { findToolFindings } from './tool-findings.js';
import { findNeverExercised } from './tool-usage.js';
import { reportTools } from './tools-report.js';

const definition = (name: string) => ({
  name,
  inputSchema: {
    properties: { pet: {}, food: { enum: ['hay', 'fish'] }, more: { properties: { when: {} } } },
  },
});

function reportOf(
  taskRuns: TaskRunRecord[],
  header: Partial<ResultsHeader> = {},
  countTokens = {},
) {
  const servers = [
    {
      name: 'pets',
      transport: 'stdio' as const,
      tools: ['feed', 'pet', 'sell'].map(definition),
      allowedTools: ['feed', 'pet'],
    },
  ];
  const file = {
    path: 'out.json',
    header: resultsHeader({ mcpServers: servers, ...header }),
    leftOut: () => ({ count: 0, parts: [] }),
    async *taskRuns() {
      yield* taskRuns;
    },
  };
  const sample = {
    files: [file],
    async *taskRuns() {
      for (const taskRun of taskRuns) yield { file, taskRun };
    },
  };
  return reportTools(sample, countTokens);
}

const runOf = (calls: CallRecord[], more: Partial<TaskRunRecord> = {}) =>
  taskRunRecord({ calls, ...more });

const toolOf = async (report: ReturnType<typeof reportOf>, name: string) =>
  (await report).tools.find(({ tool }) => tool === name);

describe('a tool', () => {
  it('has its calls, errors, tokens and durations added up', async () => {
    const calls = [
      callRecord({ tokens: { args: 3, result: 5 }, durationMs: 10 }),
      failedCall('Input validation error: pet', { call: 2, tokens: { args: 1, result: 1 } }),
      failedCall('asleep', { call: 3 }),
      failedCall('not allowed', { call: 4, blocked: true, durationMs: 5000 }),
    ];
    const report = reportOf([
      runOf(calls),
      runOf([], { run: 2 }),
      runOf([callRecord()], { task: 'b' }),
    ]);
    expect(await toolOf(report, 'feed')).toMatchObject({
      server: 'pets',
      offered: true,
      allowed: true,
      calls: 5,
      taskRuns: 2,
      share: 2 / 3,
      errors: 2,
      errorRate: 2 / 4,
      rejected: 1,
      blocked: 1,
      tokens: { args: 4, result: 6 },
      schemaTokens: null,
      tasks: [
        { task: 'feed', calls: 4, taskRuns: 1 },
        { task: 'b', calls: 1, taskRuns: 1 },
      ],
    });
    const { durationMs } = (await toolOf(report, 'feed')) ?? {};
    expect(durationMs?.p95).toBeCloseTo(10, 0);
  });

  it('that was offered, allowed and not called is named', async () => {
    const report = await reportOf([runOf([callRecord()])]);
    expect(report.neverUsed).toEqual([{ server: 'pets', tool: 'pet' }]);
    expect(report.servers).toEqual([{ server: 'pets', taskRuns: 1, offered: 3 }]);
  });

  it('that no server offers says so, if that is known', async () => {
    const calls = [callRecord({ name: 'fed' })];
    expect(await toolOf(reportOf([runOf(calls)]), 'fed')).toMatchObject({ offered: false });
    const unknown = reportOf([runOf(calls)], { mcpServers: [] });
    expect(await toolOf(unknown, 'fed')).toMatchObject({ offered: null, share: 1 });
  });

  it('has the tokens of its definition if they are counted', async () => {
    const countTokens = async (texts: string[]) => texts.map(({ length }) => length);
    const report = reportOf([runOf([])], {}, { countTokens });
    const { length } = JSON.stringify(definition('pet'));
    expect(await toolOf(report, 'pet')).toMatchObject({ schemaTokens: length });
  });

  it('whose definition is too deep to be written has none', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`);
    const tools = [{ name: 'feed', inputSchema: deep }, definition('pet')];
    const mcpServers = [{ name: 'pets', transport: 'stdio' as const, tools }];
    const countTokens = async (texts: string[]) => texts.map(() => 7);
    const report = await reportOf([runOf([])], { mcpServers }, { countTokens });
    expect(report.tools.map(({ schemaTokens }) => schemaTokens)).toEqual([null, 7]);
  });

  it('that is called by thousands of names does not fill the memory', async () => {
    const calls = Array.from({ length: 5000 }, (_, call) => callRecord({ call, name: `n${call}` }));
    const report = await reportOf([runOf(calls)]);
    expect(report.tools.length).toBeLessThan(2100);
    const other = report.tools.find(({ tool }) => tool === '(other)');
    expect(other?.calls).toBeGreaterThan(2900);
    expect(report.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(5000);
  });
});

describe('names without end', () => {
  it('of servers, resources and prompts are counted together', async () => {
    const calls = Array.from({ length: 5000 }, (_, call) =>
      callRecord({ call, server: `s${call}`, kind: call % 2 === 0 ? 'tool' : 'resource' }),
    );
    const report = await reportOf([runOf(calls)]);
    expect(report.servers.length).toBeLessThan(300);
    expect(report.tools.length).toBeLessThan(300);
    expect(report.others.length).toBeLessThan(1100);
    const used = [...report.tools, ...report.others];
    expect(used.reduce((sum, { calls: count }) => sum + count, 0)).toBe(5000);
  });
});

describe('a retry', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

  it('is a call with other arguments after one that failed', async () => {
    const calls = [
      failedCall('no such pet\nat line 3', { args: { pet: 'cow', food: 'hay' }, startedAt: at(1) }),
      callRecord({ call: 2, name: 'pet', startedAt: at(2) }),
      callRecord({ call: 3, args: { pet: 'cat', food: 'hay' }, startedAt: at(3) }),
      callRecord({ call: 4, args: { pet: 'dog' }, startedAt: at(4) }),
    ];
    expect(await toolOf(reportOf([runOf(calls)]), 'feed')).toMatchObject({
      retryCount: 1,
      retries: [
        {
          task: 'feed',
          run: 1,
          failed: 1,
          again: 3,
          error: 'no such pet',
          changed: ['pet'],
          worked: true,
        },
      ],
    });
  });

  it.each([
    ['with the same arguments', { args: { pet: 'cow' }, startedAt: at(5) }],
    ['that was under way already', { args: { pet: 'cat' }, startedAt: at(1) }],
  ])('is none %s', async (_, again) => {
    const failed = failedCall('no', { args: { pet: 'cow' }, startedAt: at(1), durationMs: 2000 });
    const report = reportOf([runOf([failed, callRecord({ call: 2, ...again })])]);
    expect(await toolOf(report, 'feed')).toMatchObject({ retryCount: 0, retries: [] });
  });
});

describe('what was never exercised', () => {
  it('is named for tools that were called, without what lies within', async () => {
    const { tools } = await reportOf([runOf([callRecord({ args: { food: 'hay' } })])]);
    expect(findNeverExercised(tools)).toEqual([
      { server: 'pets', tool: 'feed', parameters: ['pet', 'more'], values: ['food=fish'] },
    ]);
  });
});

describe('findings', () => {
  const textsOf = async (calls: CallRecord[]) =>
    findToolFindings(await reportOf([runOf(calls)])).map(({ tool, text }) => `${tool}: ${text}`);

  it('begin with arguments that were rejected', async () => {
    const calls = [
      failedCall('asleep', { name: 'pet' }),
      failedCall('asleep', { name: 'pet' }),
      failedCall('Input validation error: pet', { args: { pet: 1 } }),
      callRecord({ args: { pet: 'cat' }, startedAt: '2026-01-01T00:00:09.000Z' }),
    ];
    expect(await textsOf(calls)).toEqual([
      'feed: 1 of 2 calls failed (50.0%), all of them because it did not take the arguments',
      'feed: after an error agents tried again once with other arguments, and 1 worked',
      'pet: 2 of 2 calls failed (100%)',
    ]);
  });

  it('include names that no server offers, blocked calls, large results and slow calls', async () => {
    const calls = [
      callRecord({ name: 'fed' }),
      failedCall('no', { name: 'sell', blocked: true }),
      callRecord({ name: 'pet', tokens: { args: 1, result: 9000 } }),
      callRecord({ durationMs: 60_000 }),
    ];
    expect(await textsOf(calls)).toEqual([
      'fed: called once, and the server does not list it',
      'sell: 1 call did not reach the server',
      'pet: a result has 9000 tokens on average',
      expect.stringMatching(/^feed: one call in twenty takes (59|60|61) s or more$/),
    ]);
  });

  it('are none if all is well, or fails once', async () => {
    const calls = Array.from({ length: 20 }, () => callRecord());
    expect(await textsOf([...calls, failedCall('asleep')])).toEqual([]);
  });
});

describe('servers of several MCP configs', () => {
  const variants = ['old.yaml', 'new.yaml'].map((mcpConfigFile) => ({
    name: mcpConfigFile.replace('.yaml', ''),
    agent: { name: 'scripted', type: 'scripted' },
    mcpConfigFile,
  }));
  const server = (mcpConfigFile: string, tools: string[]) => ({
    name: 'pets',
    transport: 'stdio' as const,
    mcpConfigFile,
    tools: tools.map(definition),
  });
  const report = () =>
    reportOf(
      [
        runOf([callRecord()], { variant: 'old' }),
        runOf([], { variant: 'old', run: 2 }),
        runOf([callRecord({ name: 'nourish' })], { variant: 'new' }),
      ],
      {
        variants,
        mcpServers: [server('old.yaml', ['feed']), server('new.yaml', ['nourish', 'feed'])],
      },
    );

  it('are not mixed, though they have the same name', async () => {
    const { servers, tools, neverUsed } = await report();
    expect(servers).toEqual([
      { server: 'pets (new.yaml)', mcpConfigFile: 'new.yaml', taskRuns: 1, offered: 2 },
      { server: 'pets (old.yaml)', mcpConfigFile: 'old.yaml', taskRuns: 2, offered: 1 },
    ]);
    expect(
      tools.map(({ server: of, tool, calls, share, offered }) => [of, tool, calls, share, offered]),
    ).toEqual([
      ['pets (new.yaml)', 'feed', 0, 0, true],
      ['pets (new.yaml)', 'nourish', 1, 1, true],
      ['pets (old.yaml)', 'feed', 1, 0.5, true],
    ]);
    expect(neverUsed).toEqual([{ server: 'pets (new.yaml)', tool: 'feed' }]);
  });
});
