import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { standInEnvironment } from '../../testing/agent-tasks.js';
import { costOfAnswer, it } from '../support/metered-suite.js';
import { command } from '../support/suite-parts.js';

const prices = 'models:\n  openai:tailored: { input: 1, cachedInput: 0.5, output: 10 }\n';
const tailoredCost = 0.3 * 1 + 0.1 * 0.5 + 0.05 * 10;

describe.concurrent('the cost of a task run', () => {
  it('is computed for a model that is known, also by a dated name', async ({ makeMetered }) => {
    const { suite, env } = await makeMetered({ a: {} }, { model: 'openai:gpt-5-mini-2025-08-07' });
    const { exitCode, taskRuns, events, stdout } = await suite.check([], env);
    expect(exitCode).toBe(0);
    expect(taskRuns).toMatchObject([{ cost: costOfAnswer, costSource: 'priced' }]);
    expect(events.find(({ type }) => type === 'task-run-ended')).toMatchObject({
      cost: costOfAnswer,
      costSource: 'priced',
      usage: { inputTokens: 400_000, cachedInputTokens: 100_000, outputTokens: 50_000 },
    });
    expect(stdout).toContain('$0.18 by tokens and prices');
  });

  it('is what the agent reports, if it does', async ({ makeSuite }) => {
    const agent = { builtin: { type: 'claude-code', model: 'claude-haiku-4-5' } };
    const suite = await makeSuite({ tasks: { a: {} }, agent });
    const env = standInEnvironment('tool-calls') as Record<string, string>;
    const { taskRuns, stderr } = await suite.check(['--max-cost', '100'], env);
    expect(taskRuns, stderr).toMatchObject([{ cost: expect.any(Number), costSource: 'reported' }]);
    expect(stderr).not.toContain('unmeasured-budget');
  });

  it('is unknown for other models, which is told before a budget fails and at the end', async ({
    makeMetered,
  }) => {
    const { suite, env, model } = await makeMetered({ a: {}, b: {} }, { model: 'openai:tailored' });

    const plain = await suite.check([], env);
    expect(plain.exitCode).toBe(0);
    expect(plain.stderr).not.toContain('no price');
    expect(plain.stdout).toContain(
      'cost          unknown: no price for openai:tailored (see check --prices)',
    );
    expect(plain.taskRuns[0]).toMatchObject({ cost: null, usage: { inputTokens: 400_000 } });
    expect(plain.taskRuns[0]).not.toHaveProperty('costSource');

    const limited = await suite.check(['--max-cost', '0.01'], env);
    expect(limited.exitCode, limited.stderr).toBe(0);
    const warning =
      'no price is known for openai:tailored: --max-cost does not count what the agent';
    expect(limited.stderr).toContain(warning);
    expect(limited.stderr).toContain('[unmeasured-budget]');
    expect(limited.stderr.indexOf(warning)).toBeLessThan(limited.stderr.indexOf('[1/2]'));

    const asked = model.requests.length;
    const strict = await suite.check(['--max-cost', '0.01', '--strict', '--out', 'x.json'], env);
    expect(strict.exitCode).toBe(2);
    expect(strict.stderr).toContain(warning);
    expect(model.requests).toHaveLength(asked);

    await suite.write('prices.yaml', prices);
    const priced = await suite.check(['--max-cost', '0.01', '--prices', 'prices.yaml'], env);
    expect(priced.exitCode).toBe(1);
    expect(priced.stderr).not.toContain('unmeasured-budget');
    expect(priced.taskRuns).toMatchObject([
      { cost: expect.closeTo(tailoredCost, 12), costSource: 'priced' },
    ]);
  });

  it('is that of each answer, with caches and long requests at prices of their own', async ({
    makeMetered,
  }) => {
    const { suite, env } = await makeMetered(
      { a: {} },
      {
        model: 'openai:gpt-6-sol',
        script: [
          {
            toolCalls: [{ tool: 'echo', args: { text: 'hello' } }],
            usage: { input: 200_000, cacheWrite: 100_000, output: 10_000 },
          },
          { text: 'Done.', usage: { input: 300_000, cached: 200_000, output: 10_000 } },
        ],
      },
    );
    const { taskRuns, stderr } = await suite.check([], env);
    const short = 0.1 * 2 + 0.1 * 2.5 + 0.01 * 10;
    const long = 0.1 * 4 + 0.2 * 0.4 + 0.01 * 15;
    expect(taskRuns, stderr).toMatchObject([
      {
        cost: expect.closeTo(short + long, 12),
        costSource: 'priced',
        usage: {
          inputTokens: 500_000,
          cachedInputTokens: 200_000,
          cacheWriteTokens: 100_000,
          outputTokens: 20_000,
        },
      },
    ]);
  });

  it('counts what Anthropic reports apart from the input', async ({ makeMetered }) => {
    const turnUsage = { input: 100_000, cached: 30_000, cacheWrite: 20_000, output: 10_000 };
    const { suite, env } = await makeMetered(
      { a: {} },
      { model: 'anthropic:claude-sonnet-5', script: () => ({ text: 'Done.', usage: turnUsage }) },
    );
    const { taskRuns, stderr } = await suite.check([], env);
    const cost = 0.05 * 2 + 0.03 * 0.2 + 0.02 * 2.5 + 0.01 * 10;
    expect(taskRuns, stderr).toMatchObject([{ cost: expect.closeTo(cost, 12) }]);
  });

  it('is that of the model that answered, and unknown if that has no price', async ({
    makeMetered,
  }) => {
    const turnUsage = { input: 100_000, output: 10_000 };
    const { suite, env } = await makeMetered(
      { cheap: {}, other: {} },
      {
        model: 'openai:gpt-5',
        script: ({ prompt }) => ({
          text: 'Done.',
          usage: turnUsage,
          model: prompt.includes('cheap') ? 'gpt-5-mini-2025-08-07' : 'somebody-else',
        }),
      },
    );
    const { taskRuns, stdout } = await suite.check([], env);
    const cost = 0.1 * 0.25 + 0.01 * 2;
    expect(taskRuns.map((taskRun) => taskRun.cost)).toEqual([expect.closeTo(cost, 12), null]);
    expect(stdout).toContain('; not reported by 1 task run');
    expect(stdout).toMatch(/somebody-else answered for gpt-5, and has no\s+price/);
    const summary = await suite.proctor(['summary', 'out.json']);
    expect(summary.stdout).toContain('$0.0450; not reported by 1 task run');
  });

  it('is by the prices that the eval names', async ({ makeMetered }) => {
    const { suite, env } = await makeMetered(
      { a: {} },
      {
        model: 'openai:tailored',
        config: { prices: 'money/prices.yaml' },
        files: { 'money/prices.yaml': prices, 'other.json': '{"models": {}}' },
      },
    );
    const { taskRuns } = await suite.check([], env);
    expect(taskRuns[0]?.cost).toBeCloseTo(tailoredCost, 12);
    const other = await suite.check(['--prices', 'other.json'], env);
    expect(other.taskRuns[0]?.cost).toBeNull();
  });

  it('can change its price while a check lies still', async ({ makeMetered }) => {
    const { suite, env } = await makeMetered(
      { a: {}, b: {} },
      {
        model: 'openai:tailored',
        config: { prices: 'prices.yaml' },
        files: { 'prices.yaml': prices },
      },
    );
    expect((await suite.check(['--max-cost', '0.1'], env)).taskRuns).toHaveLength(1);
    await suite.write('prices.yaml', prices.replace('output: 10', 'output: 0'));
    const { exitCode, taskRuns, stderr } = await suite.check(['--resume'], env);
    expect(exitCode, stderr).toBe(0);
    expect(taskRuns.map(({ cost }) => cost)).toEqual([
      expect.closeTo(tailoredCost, 12),
      expect.closeTo(0.35, 12),
    ]);
  });

  it('of a command is told by nobody', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {} }, agent: command('echo done') });
    const budgets = ['--max-cost', '1', '--max-tokens', '1k'];
    const { exitCode, stderr } = await suite.check(budgets);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'agent reports neither tokens nor cost: --max-cost or --max-tokens does not count',
    );
    expect((await suite.check(['--max-duration', '1h'])).stderr).not.toContain('does not count');
  });
});

describe.concurrent('a prices file', () => {
  it('with problems is refused, each at its place', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: {} },
      config: { prices: 'prices.yaml' },
      files: {
        'prices.yaml': 'models:\n  opneai:x: { input: 1, output: 2 }\n  openai:y: { input: 1 }\n',
      },
    });
    const { exitCode, stderr, results } = await suite.check();
    expect(exitCode).toBe(2);
    expect(results).toBeUndefined();
    expect(stderr).toContain('prices.yaml:2:3');
    expect(stderr).toContain('did you mean openai?');
    expect(stderr).toContain('prices.yaml:3:3');
    expect((await suite.proctor(['validate', 'eval.yaml'])).exitCode).toBe(2);
  });

  it('that is not there is a problem of whoever names it', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {} }, config: { prices: 'nowhere.yaml' } });
    const { exitCode, stderr } = await suite.check();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/eval\.yaml:\d+:\d+/);
    expect(stderr).toContain('nowhere.yaml does not exist');
  });

  it('is not overwritten', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {} }, files: { 'prices.json': '{"models": {}}' } });
    const args = ['check', 'eval.yaml', '--prices', 'prices.json', '--out', 'prices.json'];
    const { exitCode, stderr } = await suite.proctor(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('prices.json is a file of the suite, and would be overwritten');
  });
});

it('the package carries the licence of the data that prices are made from', () => {
  const file = path.resolve(import.meta.dirname, '../../dist/third-party-licenses.txt');
  expect(readFileSync(file, 'utf8')).toContain(
    'Copyright (c) Pydantic Services Inc. 2025 to present',
  );
});
