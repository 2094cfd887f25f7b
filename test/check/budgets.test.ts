import { describe, expect } from 'vitest';
import { costOfAnswer, it, tokensOfAnswer } from '../support/metered-suite.js';

const four = { a: {}, b: {}, c: {}, d: {} };

describe.concurrent('a budget', () => {
  it('of money ends a check when it is spent, and --resume goes on with more', async ({
    makeMetered,
  }) => {
    const { suite, env, model } = await makeMetered(four);

    const first = await suite.check(['--max-cost', '0.3'], env);

    expect(first.exitCode, first.stderr).toBe(1);
    const reached = { kind: 'cost', limit: 0.3, spent: expect.closeTo(2 * costOfAnswer, 9) };
    expect(first.taskRuns).toMatchObject([
      { task: 'a', outcome: 'passed', cost: costOfAnswer, costSource: 'priced' },
      { task: 'b', outcome: 'passed', cost: costOfAnswer, costSource: 'priced' },
    ]);
    expect(first.results).toMatchObject({
      finished: true,
      interrupted: false,
      bailed: false,
      budget: reached,
      totals: { planned: 4, notRun: 2, costSource: 'priced' },
    });
    expect(first.events.at(-1)).toMatchObject({ type: 'run-ended', budget: reached });
    expect(first.stdout).toContain('4: 2 passed, 2 not done');
    expect(first.stdout).toContain('Stopped early: --max-cost was reached ($0.35 of $0.30)');
    expect(first.stderr).toContain('; spent $0.18 of $0.30\n');
    const summary = await suite.proctor(['summary', 'out.json']);
    const sentence =
      'unfinished: 2 of 4 task runs have a verdict (out.json: --max-cost was reached';
    expect(summary.stdout).toContain(sentence);

    // What was paid for is not lost by mistake.
    const again = await suite.proctor(['check', 'eval.yaml', '--out', 'out.json'], env);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('a run that did not finish (2 of 4 task runs done)');

    const same = await suite.check(['--max-cost', '0.3', '--resume'], env);
    expect(same.exitCode).toBe(1);
    expect(same.results).toMatchObject({ budget: reached, totals: { notRun: 2 } });
    expect(model.requests).toHaveLength(2);

    const more = await suite.check(['--max-cost', '0.5', '--resume'], env);
    expect(more.exitCode).toBe(1);
    expect(more.taskRuns, more.stderr).toHaveLength(3);

    const rest = await suite.check(['--resume'], env);
    expect(rest.exitCode, rest.stderr).toBe(0);
    expect(rest.results).toMatchObject({ budget: null, totals: { planned: 4, notRun: 0 } });
    expect(model.requests).toHaveLength(4);
  });

  it('lets what runs already come to its end', async ({ makeMetered }) => {
    const parallel = { parallel: true };
    const { suite, env } = await makeMetered({ a: parallel, b: parallel, c: parallel });
    const { exitCode, taskRuns, results } = await suite.check(
      ['--max-tokens', '1', '-p', '2'],
      env,
    );
    expect(exitCode).toBe(1);
    expect(taskRuns.map(({ task }) => task).sort()).toEqual(['a', 'b']);
    expect(results).toMatchObject({
      budget: { kind: 'tokens', limit: 1, spent: 2 * tokensOfAnswer },
    });
  });

  it('of tokens counts the judge too', async ({ makeMetered }) => {
    const spec = { verify: [{ llmJudge: { contains: 'done' } }] };
    const { suite, env } = await makeMetered(
      { a: { spec }, b: { spec } },
      { config: { llmJudge: { ref: { type: 'builtin.llm-agent', model: 'openai:gpt-5-nano' } } } },
    );
    const { taskRuns, results, stdout } = await suite.check(['--max-tokens', '800k'], env);
    expect(taskRuns).toMatchObject([
      {
        task: 'a',
        outcome: 'passed',
        costSource: 'priced',
        judge: {
          cost: expect.closeTo(0.3 * 0.05 + 0.1 * 0.005 + 0.05 * 0.4),
          costSource: 'priced',
        },
      },
    ]);
    expect(results).toMatchObject({
      budget: { kind: 'tokens', limit: 800_000, spent: 2 * tokensOfAnswer },
    });
    expect(stdout).toContain('--max-tokens was reached (900.0k tokens of 800.0k tokens)');
  });

  it('of time starts nothing when it is over', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {}, b: {} } });
    const { exitCode, results, taskRuns } = await suite.check(['--max-duration', '1ms']);
    expect(exitCode).toBe(1);
    expect(taskRuns).toEqual([]);
    expect(results).toMatchObject({
      budget: { kind: 'duration', limit: 1 },
      totals: { planned: 2, notRun: 2 },
    });
    const rest = await suite.check(['--resume', '--max-duration', '1h']);
    expect(rest.exitCode, rest.stderr).toBe(0);
    expect(rest.results).toMatchObject({ budget: null });
  });

  it('of time that is over at once leaves the files of an earlier check as they were', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks: { a: {} } });
    const run = (...args: string[]) =>
      suite.proctor([
        'check',
        'eval.yaml',
        '--out',
        'out.json',
        '--reporter',
        'junit=out.xml',
        ...args,
      ]);
    const readAll = () =>
      Promise.all(['out.json', 'out.jsonl', 'out.xml'].map((name) => suite.read(name)));
    expect((await run()).exitCode).toBe(0);
    const before = await readAll();
    const { exitCode, stderr } = await run('--max-duration', '1ms');
    expect(exitCode, stderr).toBe(1);
    expect(stderr).toContain('Stopped early: --max-duration was reached');
    expect(stderr).toContain('no task run has begun');
    expect(await readAll()).toEqual(before);
    expect((await run('--max-duration', '1h')).exitCode).toBe(0);
  });

  it('that is not reached, or only with the last task run, ends nothing', async ({
    makeMetered,
  }) => {
    const { suite, env } = await makeMetered({ a: {}, b: {} });
    const { exitCode, results, stdout } = await suite.check(['--max-cost', '0.355'], env);
    expect(exitCode).toBe(0);
    expect(results).toMatchObject({ budget: null });
    expect(stdout).not.toContain('Stopped early');
  });

  it('is told by reports', async ({ makeMetered }) => {
    const { suite, env } = await makeMetered(four);
    const reporters = ['markdown=out.md', 'junit=out.xml', 'html=out.html', 'github=out.txt'];
    const flags = reporters.flatMap((reporter) => ['--reporter', reporter]);
    await suite.check(['--max-cost', '0.1', ...flags], env);
    const text = '--max-cost was reached ($0.18 of $0.10)';
    expect(await suite.read('out.md')).toContain(text);
    expect(await suite.read('out.xml')).toContain(`3 planned task runs have no verdict; ${text}`);
    expect(await suite.read('out.txt')).toContain(`3 more were planned and not done: ${text}`);
    const view = await suite.proctor(['view', 'out.json']);
    expect(view.stdout).toContain(`${text}: some task runs are missing`);
    const merged = await suite.proctor(['result', 'merge', 'out.json', '--out', 'merged.json']);
    expect(merged.exitCode, merged.stderr).toBe(0);
    const data = JSON.parse(await suite.read('merged.json'));
    expect(data.budget).toMatchObject({ kind: 'cost', limit: 0.1 });
  });

  it.for([
    [['--max-cost', 'much'], '--max-cost: expected a number of dollars, found "much"'],
    [['--max-tokens', '2G'], '--max-tokens: expected a whole number, found "2G"'],
    [['--max-duration', '5'], '--max-duration: invalid duration "5": missing unit'],
  ] as const)('%j is refused', async ([args, message], { makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {} } });
    const { exitCode, stderr, results } = await suite.check([...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(results).toBeUndefined();
  });
});
