import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../src/analysis/summary/summary.js';
import { petsJournal } from '../support/pets-journal.js';
import { ScratchSuite } from '../support/scratch-suite.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({ tasks: {} });
  await suite.write('pets.jsonl', petsJournal({ id: 'pets' }).text);
});

afterAll(() => suite.remove());

function summary(...args: string[]) {
  return suite.proctor(['summary', ...args]);
}

describe('--github-output', () => {
  const names = [
    ...['results-file', 'pass-rate', 'pass-rate-low', 'pass-rate-high'],
    ...['task-runs', 'task-runs-judged', 'task-runs-passed', 'tasks', 'tasks-passed-every-run'],
    ...['tool-definition-tokens', 'tasks-total', 'tasks-passed', 'task-pass-rate'],
    ...['assertions-total', 'assertions-passed', 'assertion-pass-rate'],
    ...['tokens-estimated', 'mcp-schema-tokens', 'agent-input-tokens', 'agent-output-tokens'],
    ...['judge-input-tokens', 'judge-output-tokens'],
  ];

  it('appends to the file of the step, and keeps text out of standard output', async () => {
    await suite.write('github', 'earlier=1\n');
    const env = { GITHUB_OUTPUT: suite.path('github') };
    const { exitCode, stdout, stderr } = await suite.proctor(
      ['summary', 'pets.jsonl', '--github-output'],
      env,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('Totals');
    const [first, ...lines] = (await suite.read('github')).trimEnd().split('\n');
    expect(first).toBe('earlier=1');
    expect(lines.map((line) => line.split('=')[0])).toEqual(names);
    expect(lines).toEqual(
      expect.arrayContaining([
        'results-file=pets.jsonl',
        'pass-rate=0.6667',
        'task-runs-passed=2',
        'tasks-total=3',
        'tasks-passed=2',
        'task-pass-rate=0.6667',
        'assertions-total=3',
        'assertions-passed=2',
        'assertion-pass-rate=0.6667',
        'tokens-estimated=750',
        'agent-input-tokens=36000',
        'judge-input-tokens=0',
      ]),
    );
  });

  it('leaves standard output to -o json', async () => {
    const env = { GITHUB_OUTPUT: suite.path('github-json') };
    const args = ['summary', 'pets.jsonl', '--github-output', '-o', 'json'];
    const { stdout } = await suite.proctor(args, env);
    expect(JSON.parse(stdout).totals.taskRuns).toBe(3);
    expect(await suite.read('github-json')).toContain('tasks-total=3\n');
  });

  it('prints where there is no such file, and then nothing else may', async () => {
    const { stdout } = await summary('pets.jsonl', '--github-output');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('=')[0]),
    ).toEqual(names);
    const both = await summary('pets.jsonl', '--github-output', '-o', 'markdown');
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain('set GITHUB_OUTPUT');
  });

  it('says so if the file cannot be written', async () => {
    const env = { GITHUB_OUTPUT: suite.folder };
    const args = ['summary', 'pets.jsonl', '--github-output'];
    const { exitCode, stderr } = await suite.proctor(args, env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot write to GITHUB_OUTPUT');
  });

  it('lets no name of a file become an output', async () => {
    const name = 'x\ntasks-passed=99\r.jsonl';
    await suite.write(name, await suite.read('pets.jsonl'));
    const { stdout } = await summary(name, '--github-output');
    expect(stdout.split('\n')).toHaveLength(names.length + 1);
    expect(stdout).toContain('results-file=x\ufffdtasks-passed=99\ufffd.jsonl\n');
  });
});

describe('results of mcpchecker', () => {
  const tokenEstimate = {
    totalTokens: 900,
    mcpSchemaTokens: 300,
    inputTokens: 500,
    outputTokens: 100,
  };
  const taskRun = { taskName: 'pods', taskPath: 'pods.yaml', difficulty: 'easy', totalRuns: 2 };
  const toolsUsed = (passed: boolean) => ({ toolsUsed: { passed } });
  const results = [
    {
      ...taskRun,
      taskPassed: true,
      allAssertionsPassed: true,
      assertionResults: toolsUsed(true),
      agentOutput: { Success: true },
      tokenEstimate,
      judgeTokenUsage: { inputTokens: 40, outputTokens: 2 },
    },
    {
      ...taskRun,
      runIndex: 1,
      taskPassed: true,
      allAssertionsPassed: false,
      assertionResults: toolsUsed(false),
      agentOutput: { Success: true },
      tokenEstimate,
    },
  ];

  it.each([
    [
      'with their summary',
      { summary: { agent: { type: 'builtin.llm-agent', name: 'a' } }, results },
    ],
    ['as the bare list of old', results],
  ])('are read %s', async (_, data) => {
    await writeFile(suite.path('theirs.json'), JSON.stringify(data));
    const { totals, tasks }: Summary = JSON.parse(
      (await summary('theirs.json', '-o', 'json')).stdout,
    );
    expect(tasks).toMatchObject([{ task: 'pods', flaky: true, difficulty: 'easy' }]);
    expect(totals).toMatchObject({ verified: 2, rate: { passed: 1, judged: 2 } });
    // What it estimates nobody told.
    expect(totals.amounts).toMatchObject({ usage: null, untold: { usage: 2 } });
    const { stdout } = await summary('theirs.json', '--github-output');
    expect(stdout).toBe(
      [
        'results-file=theirs.json',
        'pass-rate=0.5000',
        'pass-rate-low=0.0945',
        'pass-rate-high=0.9055',
        'task-runs=2',
        'task-runs-judged=2',
        'task-runs-passed=1',
        'tasks=1',
        'tasks-passed-every-run=0',
        'tool-definition-tokens=300',
        'tasks-total=2',
        'tasks-passed=2',
        'task-pass-rate=1.0000',
        'assertions-total=2',
        'assertions-passed=1',
        'assertion-pass-rate=0.5000',
        'tokens-estimated=1800',
        'mcp-schema-tokens=600',
        'agent-input-tokens=0',
        'agent-output-tokens=0',
        'judge-input-tokens=40',
        'judge-output-tokens=2',
        '',
      ].join('\n'),
    );
  });

  it('tell tokens only where the model did, and no estimate keeps a limit', async () => {
    const actual = { inputTokens: 7, outputTokens: 3 };
    const told = results.map((each) => ({ ...each, tokenEstimate: { ...tokenEstimate, actual } }));
    const negative = { inputTokens: -90, outputTokens: 3 };
    const files = {
      'told.json': told,
      'estimated.json': results,
      'half.json': [told[0], results[1]],
      'negative.json': [told[0], { ...told[1], tokenEstimate: { actual: negative } }],
      'judge.json': [told[0], { ...told[1], judgeTokenUsage: negative }],
    };
    for (const [name, data] of Object.entries(files)) {
      await suite.write(name, JSON.stringify(data));
    }
    const limited = async (name: string) =>
      (await suite.proctor(['verify', name, '--max-tokens', '100000'])).exitCode;
    expect(await Promise.all(Object.keys(files).map(limited))).toEqual([0, 1, 1, 1, 1]);
    const { stdout } = await summary('told.json', '--github-output');
    expect(stdout).toContain('agent-input-tokens=14\nagent-output-tokens=6\n');
  });
});
