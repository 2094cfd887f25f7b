import { describe, expect, test } from 'vitest';
import { readResults } from '../support/check-results.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { costOfAnswer, it } from '../support/metered-suite.js';
import { closingOf, it as evalsIt, outcomesOf } from '../support/several-evals.js';
import { script } from '../support/suite-parts.js';

const failing = { spec: { verify: [script('false')] } };

/** An eval beside that of a suite, with tasks of its own. */
function secondEval(...tasks: string[]): Record<string, string> {
  const config = {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.yaml',
    taskSets: [{ glob: 'more/*.yaml' }],
  };
  const files = tasks.map((name) => [
    `more/${name}.yaml`,
    {
      kind: 'Task',
      metadata: { name },
      spec: { prompt: { inline: `Do ${name}.` }, verify: [script('true')] },
    },
  ]);
  const all = { 'second.yaml': { kind: 'Eval', metadata: { name: 'second' }, config } };
  return Object.fromEntries(
    Object.entries({ ...all, ...Object.fromEntries(files) }).map(([name, data]) => [
      name,
      JSON.stringify(data),
    ]),
  );
}

const both = ['check', 'eval.yaml', 'second.yaml'];

describe.concurrent('a budget of several evals', () => {
  it('counts what those before have spent', async ({ makeMetered }) => {
    const { suite, env, model } = await makeMetered({ a: {} }, { files: secondEval('c', 'd') });
    const { exitCode, stderr } = await suite.proctor([...both, '--max-cost', '0.3'], env);
    expect(exitCode, stderr).toBe(1);
    expect(await outcomesOf(suite, 'suite')).toEqual(['a passed']);
    expect(await outcomesOf(suite, 'second')).toEqual(['c passed']);
    expect(JSON.parse(await suite.read('proctor-second-out.json'))).toMatchObject({
      budget: { kind: 'cost', limit: 0.3, spent: expect.closeTo(2 * costOfAnswer, 9) },
      totals: { planned: 2, notRun: 1 },
    });
    expect(model.requests).toHaveLength(2);
  });

  it('that is spent at once leaves the results of earlier checks as they were', async ({
    makeMetered,
  }) => {
    const { suite, env } = await makeMetered({ a: {} }, { files: secondEval('c') });
    expect((await suite.proctor(both, env)).exitCode).toBe(0);
    const { exitCode, stdout } = await suite.proctor([...both, '--max-duration', '1ms'], env);
    expect(exitCode).toBe(1);
    expect(closingOf(stdout)).toEqual([
      expect.stringContaining('not run  suite (eval.yaml): --max-duration was reached'),
      expect.stringContaining('not run  second (second.yaml): --max-duration was reached'),
      '',
      '2 evals: 2 not run',
    ]);
    expect(await outcomesOf(suite, 'suite')).toEqual(['a passed']);
    expect(await outcomesOf(suite, 'second')).toEqual(['c passed']);
  });

  it('that is spent keeps others from being begun, until --resume has more', async ({
    makeMetered,
  }) => {
    const { suite, env, model } = await makeMetered({ a: {}, b: {} }, { files: secondEval('c') });
    const first = await suite.proctor([...both, '--max-cost', '0.3'], env);
    expect(first.exitCode, first.stderr).toBe(1);
    expect(await outcomesOf(suite, 'suite')).toEqual(['a passed', 'b passed']);
    expect(await outcomesOf(suite, 'second')).toBeUndefined();
    expect(closingOf(first.stdout)).toEqual([
      'passed   suite (eval.yaml): 2 of 2 task runs passed',
      'not run  second (second.yaml): --max-cost was reached ($0.35 of $0.30)',
      '',
      '2 evals: 1 passed, 1 not run',
    ]);

    const same = await suite.proctor([...both, '--max-cost', '0.3', '--resume'], env);
    expect(same.exitCode, same.stderr).toBe(1);
    expect(closingOf(same.stdout).at(-1)).toBe('2 evals: 1 passed, 1 not run');
    expect(model.requests).toHaveLength(2);

    const more = await suite.proctor([...both, '--max-cost', '0.4', '--resume'], env);
    expect(more.exitCode, more.stderr).toBe(0);
    expect(await outcomesOf(suite, 'second')).toEqual(['c passed']);
    expect(model.requests).toHaveLength(3);
  });
});

describe.concurrent('--bail over several evals', () => {
  evalsIt('begins no other one', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing } },
      two: { tasks: { b: {} } },
    });
    const json = await suite.proctor(['check', 'evals', '--bail=1', '-o', 'json']);
    expect(json.exitCode, json.stderr).toBe(1);
    expect(JSON.parse(json.stdout).evals).toMatchObject([
      { name: 'one', status: 'failed', results: { bailed: false } },
      { name: 'two', status: 'not-run', reason: '--bail ended the check', results: null },
    ]);
    expect(await outcomesOf(suite, 'two')).toBeUndefined();
  });

  evalsIt('counts failures of all', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing } },
      two: { tasks: { b: failing, c: {} } },
    });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals', '--bail=2']);
    expect(exitCode, stderr).toBe(1);
    expect(await outcomesOf(suite, 'two')).toEqual(['b failed']);
  });
});

describe.concurrent('--resume of several evals', () => {
  evalsIt('keeps the report of one that was done when another begins', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing } },
      two: { tasks: { b: {} } },
    });
    const check = ['check', 'evals', '--reporter', 'tap={eval}.tap'];
    await suite.proctor([...check, '--bail']);
    expect(await outcomesOf(suite, 'two')).toBeUndefined();
    const { exitCode, stderr } = await suite.proctor([...check, '--resume']);
    expect(exitCode, stderr).toBe(1);
    expect(await outcomesOf(suite, 'two')).toEqual(['b passed']);
    expect(await suite.read('one.tap')).toContain('not ok 1');
    expect(await suite.read('two.tap')).toContain('ok 1');
  });
});

describe.concurrent('one of several evals that cannot begin', () => {
  evalsIt('is told after what ran, and does not make it undone', async ({ makeEvals }) => {
    // What stands in the way comes when everything was found fit.
    const setup = [script('mkdir "$FOLDER/proctor-two-out.jsonl"')];
    const suite = await makeEvals({
      one: { tasks: { a: { spec: { setup } } } },
      three: { tasks: { c: {} } },
      two: { tasks: { b: {} } },
    });
    const paths = ['one', 'two', 'three'].map((name) => `evals/${name}`);
    const { exitCode, stdout } = await suite.proctor(['check', ...paths], {
      FOLDER: suite.folder,
    });
    expect(exitCode).toBe(1);
    expect(await outcomesOf(suite, 'one')).toEqual(['a passed']);
    expect(closingOf(stdout).at(-1)).toBe('3 evals: 1 passed, 2 not run');
    expect(stdout).toContain('proctor-two-out.jsonl');
    expect(await suite.leftovers()).toEqual([]);
  });
});

test('Ctrl-C ends the eval that runs, begins no other, and --resume does the rest', async () => {
  const suite = await suiteOf();
  for (const [name, text] of Object.entries(secondEval('x'))) {
    await suite.write(name.replace('more/', 'more-'), text.replace('more/*', 'more-*'));
  }
  const second = `${suite.folder}/proctor-second-out.json`;
  const before = await suite.check('second.yaml');
  expect(before.exitCode, before.stderr).toBe(0);
  expect(readResults(second).taskRuns).toHaveLength(1);

  suite.close('agent', 'b');
  const check = suite.start(['second.yaml']);
  await suite.reached('agent', 'b');
  check.kill('SIGINT');
  const { exitCode, stdout, stderr } = await check.ended;

  expect(exitCode, stderr).toBe(130);
  expect(readResults(suite.results).taskRuns.map(({ outcome }) => outcome)).toEqual([
    'passed',
    'cancelled',
  ]);
  expect(closingOf(stdout)).toEqual([
    'interrupted  suite (eval.yaml): 1 of 3 task runs passed',
    'not run      second (second.yaml): the check was interrupted',
    '',
    '2 evals: 1 interrupted, 1 not run',
  ]);
  // Else those of before would be taken for a part of this check.
  expect(() => readResults(second)).toThrow('ENOENT');
  expectNothingLeft(suite);

  suite.open('agent', 'b');
  const rest = await suite.check('second.yaml', '--resume');
  expect(rest.exitCode, rest.stderr).toBe(0);
  expect(rest.stderr).toContain('second.yaml: There is no journal of an earlier run');
  expect(closingOf(rest.stdout).at(-1)).toBe('2 evals: 2 passed');
  expect(readResults(second)).toMatchObject({ resumed: 0, taskRuns: [{ outcome: 'passed' }] });
});
