import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { examples, proctor } from '../support/cli.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { ModelRequest, Turn } from '../support/model-server/turn.js';
import { startCheck } from '../support/running-check.js';
import { wordJudge } from '../support/word-judge.js';

let folder = '';
/** Where Proctor makes its own folders: empty but while it runs. */
let temporary = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'judge-eval-'));
  temporary = await mkdtemp(path.join(tmpdir(), 'judge-eval-tmp-'));
  const write = (name: string, data: object) =>
    writeFile(path.join(folder, name), JSON.stringify(data));
  await writeFile(path.join(folder, 'judge.yaml'), wordJudge);
  await write('fine.yaml', good);
  await write('eval.yaml', evaluation({ llmJudge: { env: judgeVariables } }));
  await write('judgeless.yaml', evaluation({}));
  await write('task.yaml', task);
  await write('mcp.yaml', { mcpServers: { cats: { url: 'http://localhost:1/${NOT_SET}' } } });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(temporary, { recursive: true });
});

type Says = 'say-pass' | 'say-fail' | 'say-nothing';

/** A case by what it is labelled, and what the judge of words will say. */
const labelled = (expected: unknown, says: Says, more: object = {}) => ({
  prompt: 'Where is the cat?',
  answer: `The cat is on the mat. ${says}`,
  reference: 'on the mat',
  mode: 'contains',
  expected,
  ...more,
});

const good = [labelled('pass', 'say-pass'), labelled('fail', 'say-fail')];
const falsePass = labelled('fail', 'say-pass', { name: 'too kind' });
const falseFail = labelled('pass', 'say-fail', { name: 'too hard' });
const silent = labelled('pass', 'say-nothing', { name: 'no word' });

async function judgeEval(cases: readonly object[], ...args: string[]) {
  const file = path.join(folder, 'cases.yaml');
  await writeFile(file, JSON.stringify(cases, null, 2));
  return proctor(['judge-eval', 'cases.yaml', '--judge', 'judge.yaml', ...args], {
    cwd: folder,
    env: { TMPDIR: temporary },
  });
}

async function measured(cases: readonly object[], ...args: string[]) {
  const { exitCode, stdout, stderr } = await judgeEval(cases, ...args, '-o', 'json');
  expect(stdout, stderr).toMatch(/^\{/);
  return { exitCode, ...JSON.parse(stdout) };
}

describe('proctor judge-eval', () => {
  it('counts where judge and labels agree, and where they do not', async () => {
    const all = [...good, falsePass, falseFail, labelled('pass', 'say-pass', { mode: 'exact' })];
    const { exitCode, totals, byMode, cases, judge } = await measured(all);
    expect(exitCode).toBe(0);
    expect(judge).toEqual({ name: 'word-judge', type: 'scripted' });
    expect(totals).toMatchObject({
      cases: 5,
      errors: 0,
      truePasses: 2,
      trueFails: 1,
      falsePasses: 1,
      falseFails: 1,
      agreed: 3,
      agreement: 0.6,
    });
    // 3 of 5 agree; chance gives 3/5 * 3/5 + 2/5 * 2/5 = 13/25.
    expect(totals.kappa).toBeCloseTo(2 / 12, 12);
    expect(Object.keys(byMode)).toEqual(['contains', 'exact']);
    expect(byMode.exact).toMatchObject({ cases: 1, agreement: 1, kappa: null });
    expect(cases[2]).toMatchObject({
      name: 'too kind',
      line: 16,
      expected: false,
      passed: true,
      reason: 'it says pass',
    });
    expect(cases[1]).toMatchObject({ name: 'case 2', failureCategory: 'missing_information' });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('takes every way to write a label', async () => {
    const all = ['pass', 'passed', true].map((each) => labelled(each, 'say-pass'));
    const none = ['fail', 'failed', false].map((each) => labelled(each, 'say-fail'));
    const { totals } = await measured([...all, ...none]);
    expect(totals).toMatchObject({ truePasses: 3, trueFails: 3, kappa: 1 });
  });

  it('tells people what the judge got wrong, and why', async () => {
    const { exitCode, stdout } = await judgeEval([...good, falsePass, falseFail]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'word-judge (scripted) judged 4 cases, 1 vote each',
        '',
        '               should pass  should fail',
        'judge passed             1            1',
        'judge failed             1            1',
        '',
        'agreement      2 of 4 (50.0%, 95% interval 15.0% to 85.0%)',
        "Cohen's kappa  0.00 (slight)",
        'false passes   1 of 2 wrong answers',
        'false fails    1 of 2 right answers',
        '',
        'false passes: wrong answers that the judge let through',
        '  too kind  cases.yaml:16  contains',
        '      it says pass',
        '',
        'false fails: right answers that it rejected',
        '  too hard  cases.yaml:24  contains',
        '      it says fail',
        '',
      ].join('\n'),
    );
  });

  it('counts an answer without a verdict apart, and ends with 1', async () => {
    const { exitCode, totals, cases } = await measured([...good, silent]);
    expect(exitCode).toBe(1);
    expect(totals).toMatchObject({ cases: 3, errors: 1, agreed: 2, agreement: 1, kappa: 1 });
    expect(cases[2]).toMatchObject({
      passed: null,
      reason: 'it did not call submit_judgement; it said: "I would rather not."',
    });
    const { stdout } = await judgeEval([...good, silent]);
    expect(stdout).toContain('no verdict: counted neither as right nor as wrong\n  no word  ');
    expect(stdout).toContain('1 case without a verdict');
  });

  it('tells what a program logged that failed to judge', async () => {
    const runPrompt = 'echo the model is overloaded >&2; exit 3';
    const broken = JSON.stringify({ kind: 'Agent', commands: { runPrompt } });
    await writeFile(path.join(folder, 'broken-judge.yaml'), broken);
    const { exitCode, cases } = await measured(good, '--judge', 'broken-judge.yaml');
    expect(exitCode).toBe(1);
    expect(cases[0].reason).toMatch(
      / exited with code 3; its log ends with: the model is overloaded$/,
    );
  });

  it('knows nothing of a judge that never gives a verdict', async () => {
    const { exitCode, totals } = await measured([silent, { ...silent, expected: 'fail' }]);
    expect(exitCode).toBe(1);
    expect(totals).toMatchObject({ errors: 2, agreement: null, kappa: null, interval: null });
    const { stdout } = await judgeEval([silent, { ...silent, expected: 'fail' }]);
    expect(stdout).toContain('agreement      n/a: no answer has a verdict');
  });

  it.each([
    ['--min-agreement', '0.67', [...good, falsePass], 2 / 3],
    ['--min-kappa', '0.5', [...good, falsePass], 0.4],
    ['--max-false-passes', '0', [...good, falsePass], 1],
    // What cannot be measured is not reached.
    ['--min-kappa', '0', [labelled('pass', 'say-pass')], null],
    ['--max-false-passes', '9', [labelled('pass', 'say-pass')], null],
    ['--min-agreement', '0', [silent], null],
  ])('ends with 1 if %s %s is missed', async (option, limit, cases, found) => {
    const { exitCode, missed } = await measured(cases, option, limit);
    expect(exitCode).toBe(1);
    expect(missed).toMatchObject([{ option, limit: Number(limit) }]);
    if (found === null) expect(missed[0].found).toBeNull();
    else expect(missed[0].found).toBeCloseTo(found, 12);
    const { stdout } = await judgeEval(cases, option, limit);
    expect(stdout).toContain(`missed: ${option} ${limit}, it `);
  });

  it('ends with 0 if every threshold is reached', async () => {
    const thresholds = ['--min-agreement', '1', '--min-kappa', '1', '--max-false-passes', '0'];
    expect(await measured(good, ...thresholds)).toMatchObject({ exitCode: 0, missed: [] });
    const kind = [...good, falsePass];
    expect(await measured(kind, '--max-false-passes', '1')).toMatchObject({ exitCode: 0 });
  });

  it('asks as often as it is told, and counts the majority', async () => {
    const { cases, votes } = await measured(good, '--votes', '3', '-p', '1');
    expect(votes).toBe(3);
    for (const each of cases) expect(each.votes).toHaveLength(3);
  });

  it('warns of cases that are all alike, and refuses them with --strict', async () => {
    const alike = [labelled('pass', 'say-pass'), labelled(true, 'say-pass')];
    const { exitCode, stdout, stderr } = await judgeEval(alike);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('n/a: judge and labels say the same one thing of every answer');
    expect(stderr).toContain('cases.yaml:7:17  warning  [one-sided-cases]  every case is expected');
    expect(await measured(alike, '--strict')).toMatchObject({ exitCode: 2, errors: 1 });
  });

  it('shows control characters of cases and judges, and obeys none', async () => {
    const name = 'evil\u001b]0;name\u0007';
    const { stdout } = await judgeEval([...good, { ...falsePass, name }]);
    expect(stdout).toContain('evil\u241b]0;name\u2407');
  });
});

describe('proctor judge-eval with a file that is wrong', () => {
  it.each([
    ['[]', 'empty-list', 'there is no case: nothing would be measured'],
    ['', 'empty-file', 'there is no data here'],
    ['cases: []', 'wrong-type', 'expected a list of cases, found a map'],
    ['- prompt: x', 'missing-field', 'answer is required in [0]'],
    [
      JSON.stringify([{ ...good[0], mode: 'regex' }]),
      'invalid-value',
      'expected one of contains, exact, rubric, found "regex"',
    ],
    [
      JSON.stringify([{ ...good[0], expected: 'yes' }]),
      'invalid-value',
      'expected one of pass, fail, passed, failed, true, false, found "yes"',
    ],
    [JSON.stringify([{ ...good[0], answer: 42 }]), 'wrong-type', 'expected text, found 42'],
    [JSON.stringify([{ ...good[0], reference: ' ' }]), 'empty-value', 'reference is empty'],
  ])('says so of %s, and asks nobody', async (text, code, message) => {
    await writeFile(path.join(folder, 'wrong.yaml'), text);
    const call = ['judge-eval', 'wrong.yaml', '--judge', 'judge.yaml', '-o', 'json'];
    const { exitCode, stdout, stderr } = await proctor(call, { cwd: folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(JSON.parse(stdout).problems).toContainEqual(expect.objectContaining({ code, message }));
  });
});

describe('proctor judge-eval without a judge', () => {
  it.each([
    [[], 'there is no judge to measure'],
    [['--judge', 'judge.yaml', '--eval', 'eval.yaml'], 'there are two judges'],
    [['--judge', 'claude-cod'], '--judge: claude-cod is neither a builtin agent nor a file'],
    [['--judge', 'judge.yaml', '--model', 'm-1'], 'the judge word-judge takes no model'],
    [['--judge', 'llm-agent', '--model', 'openai:m'], 'OPENAI_API_KEY is not set'],
    [['--judge', 'judge.yaml', '--min-kappa', '2'], '--min-kappa: expected a number from 0 to 1'],
    [['--judge', 'judge.yaml', '--min-agreement', '90%'], 'write 0.9 for 90 percent'],
    [['--judge', 'judge.yaml', '--max-false-passes', '-1'], '--max-false-passes: expected'],
    [['--judge', 'judge.yaml', '--votes', '0'], '--votes: expected a whole number from 1 to 99'],
    [['--eval', 'nowhere.yaml'], 'nowhere.yaml does not exist'],
    [['--eval', 'judgeless.yaml'], 'judgeless.yaml configures no judge'],
    [['--eval', 'eval.yaml'], 'the environment variable JUDGE_URL is not set'],
  ])('is refused with exit code 2: %j', async (args, message) => {
    const call = ['judge-eval', 'fine.yaml', ...args];
    const { exitCode, stdout, stderr } = await proctor(call, { cwd: folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

const evaluation = (config: object) => ({
  kind: 'Eval',
  metadata: { name: 'cats' },
  config: {
    agent: { type: 'builtin.claude-code' },
    // It needs a variable that is not set, which does not matter to the judge.
    mcpConfigFile: 'mcp.yaml',
    taskSets: [{ path: 'task.yaml' }],
    ...config,
  },
});

const judgeVariables = {
  baseUrlKey: 'JUDGE_URL',
  apiKeyKey: 'JUDGE_KEY',
  modelNameKey: 'JUDGE_MODEL',
};

const task = {
  kind: 'Task',
  metadata: { name: 'find' },
  spec: { prompt: { inline: 'Where is the cat?' }, verify: [{ llmJudge: { contains: 'mat' } }] },
};

describe('proctor judge-eval with a model', () => {
  const key = 'sk-judge-0123456789abcdef';

  async function evalWithModel(answer: (request: ModelRequest) => Turn) {
    const model = await ModelServer.start(answer);
    onTestFinished(() => model.close());
    return {
      model,
      call: ['judge-eval', 'fine.yaml', '--eval', 'eval.yaml'],
      options: {
        cwd: folder,
        env: {
          HOME: inject('homeFolder'),
          TMPDIR: temporary,
          JUDGE_URL: `${model.url}/v1`,
          JUDGE_KEY: key,
          JUDGE_MODEL: 'm-1',
        },
      },
    };
  }

  const submit = (args: object): Turn => ({
    toolCalls: [{ tool: 'submit_judgement', args }],
    usage: { input: 100, output: 10 },
  });

  it('measures the judge of an eval, tells what it took, and no secrets', async () => {
    const { call, options, model } = await evalWithModel(({ prompt }) =>
      submit({ passed: prompt.includes('say-pass'), reason: `I know ${key}` }),
    );
    const { exitCode, stdout } = await proctor([...call, '-o', 'json'], options);
    const { judge, totals, usage, cases } = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(judge).toMatchObject({ type: 'openai-agent', model: 'm-1' });
    expect(totals).toMatchObject({ agreed: 2, kappa: 1 });
    expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    expect(cases[0].reason).toBe('I know [redacted:JUDGE_KEY]');
    expect(stdout).not.toContain(key);
    expect(model.requests).toHaveLength(2);
    const text = await proctor([...call, '--model', 'm-2'], options);
    expect(text.stdout).toContain('openai-agent (openai-agent, m-2) judged 2 cases');
    expect(text.stdout).toContain('\n220 tokens\n');
  });

  it('asks no more often than the eval allows', async () => {
    const { options, model } = await evalWithModel(() => submit({ passed: true, reason: 'yes' }));
    const limits = { rates: [{ model: 'm-1', requestsPerMinute: 30 }] };
    const limited = evaluation({ llmJudge: { env: judgeVariables }, limits });
    await writeFile(path.join(folder, 'limited.yaml'), JSON.stringify(limited));
    const started = Date.now();
    const call = ['judge-eval', 'fine.yaml', '--eval', 'limited.yaml', '--votes', '2'];
    const { exitCode, stderr } = await proctor(call, options);
    expect(exitCode, stderr).toBe(0);
    expect(model.requests).toHaveLength(4);
    expect((model.requests[3]?.arrivedAt ?? 0) - started).toBeGreaterThanOrEqual(6_000);
  });

  it('stopped in the middle tells what it knows, and ends with 130', async () => {
    const { call, options, model } = await evalWithModel(({ prompt }) =>
      prompt.includes('say-pass') ? submit({ passed: true, reason: 'yes' }) : { hang: true },
    );
    const running = startCheck([...call, '-p', '1', '-o', 'json'], options);
    await model.request(2);
    running.kill('SIGINT');
    const { exitCode, stdout, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(130);
    expect(stderr).toContain('stopping the judge');
    expect(JSON.parse(stdout)).toMatchObject({
      planned: 2,
      totals: { cases: 1, errors: 0, agreed: 1 },
      cases: [{ name: 'case 1' }],
    });
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe('the example', () => {
  it('runs without a key, and shows a judge that is wrong once', async () => {
    const cwd = path.join(examples, 'judge-eval');
    const call = ['judge-eval', 'cases.yaml', '--judge', 'judge.yaml'];
    const { exitCode, stdout } = await proctor(call, { cwd, env: { TMPDIR: temporary } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('agreement      6 of 7');
    expect(stdout).toContain('  gives-no-reason  cases.yaml:44  rubric\n');
    const strict = await proctor([...call, '--max-false-passes', '0'], { cwd });
    expect(strict.exitCode).toBe(1);
  });
});
