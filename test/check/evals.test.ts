import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { diarist, times } from '../support/extension-suite.js';
import { closingOf, it, outcomesOf } from '../support/several-evals.js';
import { script } from '../support/suite-parts.js';

const failing = { spec: { verify: [script('false')] } };
const labelled = (area: string) => ({ labels: { area } });

describe.concurrent('a check of several evals', () => {
  it('runs one after the other in the order given, each with files of its own', async ({
    makeEvals,
  }) => {
    const suite = await makeEvals({
      one: { tasks: { a: {}, b: {} } },
      two: { tasks: { c: {} } },
    });
    const names = ['evals/two/eval.yaml', 'evals/one/eval.yaml'];
    const { exitCode, stdout, stderr } = await suite.proctor(['check', ...names]);
    expect(exitCode, stderr).toBe(0);
    expect(await outcomesOf(suite, 'one')).toEqual(['a passed', 'b passed']);
    expect(await outcomesOf(suite, 'two')).toEqual(['c passed']);
    const headings = [...stderr.matchAll(/^(\w+) \(evals\/.*\)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(['two', 'one']);
    expect(closingOf(stdout)).toEqual([
      'passed  two (evals/two/eval.yaml): 1 of 1 task run passed',
      'passed  one (evals/one/eval.yaml): 2 of 2 task runs passed',
      '',
      '2 evals: 2 passed',
    ]);
    expect(await suite.leftovers()).toEqual([]);
  });

  it('takes every eval below a directory, and fails if one does', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing } },
      two: { tasks: { b: {} } },
    });
    const { exitCode, stdout, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode, stderr).toBe(1);
    expect(closingOf(stdout)).toEqual([
      'failed  one (evals/one/eval.yaml): 0 of 1 task run passed',
      'passed  two (evals/two/eval.yaml): 1 of 1 task run passed',
      '',
      '2 evals: 1 passed, 1 failed',
    ]);
    // What is suggested works, and is about the eval that failed.
    expect(stdout).toContain(
      'proctor check evals/one/eval.yaml --rerun-failed proctor-one-out.json',
    );
  });

  it('of a directory with one is like any check of it', async ({ makeEvals }) => {
    const suite = await makeEvals({ one: { tasks: { a: {} } } });
    const { exitCode, stdout, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode, stderr).toBe(0);
    expect(`${stdout}${stderr}`).not.toMatch(/^one|Evals/m);
    expect(await outcomesOf(suite, 'one')).toEqual(['a passed']);
  });

  it('tells the problems of all, and runs nothing', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: { spec: { setup: [script('touch ../../../ran')] } } } },
      two: { tasks: { b: {} }, assertions: { toolsUsed: [] } },
      three: { tasks: { c: {} }, config: { mcpConfigFile: 'missing.yaml' } },
    });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/evals\/two\/eval\.yaml.*error/);
    expect(stderr).toMatch(/evals\/three\/eval\.yaml.*error/);
    expect(existsSync(suite.path('ran'))).toBe(false);
    expect(await outcomesOf(suite, 'one')).toBeUndefined();
  });

  it('begins none before the servers of all are ready', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: { spec: { setup: [script('touch ../../../ran')] } } } },
      two: { tasks: { b: {} }, servers: { broken: { command: 'false' } } },
      three: { tasks: { c: {} }, servers: { absent: { command: '/no/such/program' } } },
    });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('server-not-ready');
    expect(stderr).toMatch(/evals\/two\/mcp\.yaml/);
    expect(stderr).toMatch(/evals\/three\/mcp\.yaml/);
    expect(existsSync(suite.path('ran'))).toBe(false);
    expect(await outcomesOf(suite, 'one')).toBeUndefined();
    expect(await suite.leftovers()).toEqual([]);
  });

  it('does not stop the extensions of those that wait for their turn', async ({ makeEvals }) => {
    const spec = { requires: [{ extension: 'diary' }], verify: [{ 'diary.note': {} }] };
    const config = { extensions: { diary: diarist() } };
    const suite = await makeEvals({
      one: { tasks: { a: {} } },
      two: { tasks: { b: { spec } }, config },
    });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode, stderr).toBe(0);
    const lines = (await suite.read('evals/two/diary')).trimEnd().split('\n');
    const diary = lines.map((line) => JSON.parse(line));
    expect(diary.map(({ what }) => what)).toEqual(['start', 'initialize', 'note', 'shutdown']);
    expect(times(diary, 'start')).toBe(1);
  });

  it('refuses two that would write the same file, and names both', async ({ makeEvals }) => {
    const suite = await makeEvals({ One: { tasks: { a: {} } }, one: { tasks: { b: {} } } });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'evals/One/eval.yaml and evals/one/eval.yaml would both write proctor-one-out.json',
    );
  });

  it.for([
    ['--out', 'out.json'],
    ['--reporter', 'junit=out.xml'],
    ['--rerun-failed', 'out.json'],
    ['--shard', '1/2', '--shard-durations', 'out.json'],
    ['--reporter', 'tap'],
  ])('refuses %j, which would be one file for all', async (options, { makeEvals }) => {
    const suite = await makeEvals({ one: { tasks: { a: {} } }, two: { tasks: { b: {} } } });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals', ...options]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/with several evals, /);
    expect(stderr).toContain('{eval}');
    expect(await outcomesOf(suite, 'one')).toBeUndefined();
  });

  it('puts their names in place of {eval}, also of one alone', async ({ makeEvals }) => {
    const suite = await makeEvals({
      'Number One': { tasks: { a: {} } },
      two: { tasks: { b: {} } },
    });
    const options = ['--out', 'r-{eval}.json', '--reporter', 'junit=j-{eval}.xml'];
    const { exitCode, stderr } = await suite.proctor(['check', 'evals', ...options]);
    expect(exitCode, stderr).toBe(0);
    expect(await outcomesOf(suite, '', 'r-number-one.json')).toEqual(['a passed']);
    expect(await outcomesOf(suite, '', 'r-two.json')).toEqual(['b passed']);
    expect(await suite.read('j-number-one.xml')).toContain('name="a"');
    expect(await suite.read('j-two.xml')).toContain('name="b"');
    const alone = await suite.proctor(['check', 'evals/two/eval.yaml', '--out', '{eval}.json']);
    expect(alone.exitCode, alone.stderr).toBe(0);
    expect(await outcomesOf(suite, '', 'two.json')).toEqual(['b passed']);
  });

  it('prints one JSON document with the results of each', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing } },
      two: { tasks: { b: {} } },
      three: { tasks: { other: {} } },
    });
    const { exitCode, stdout, stderr } = await suite.proctor([
      ...['check', 'evals/one', 'evals/three', 'evals/two'],
      ...['-r', '^[ab]$', '-o', 'json'],
    ]);
    expect(exitCode, stderr).toBe(1);
    const [one, two, three] = JSON.parse(stdout).evals;
    expect(one).toMatchObject({ name: 'one', file: 'evals/one/eval.yaml', status: 'failed' });
    expect(one.results).toEqual(JSON.parse(await suite.read('proctor-one-out.json')));
    expect(two).toMatchObject({ status: 'passed', results: { eval: { name: 'two' } } });
    const reason = '--run ^[ab]$ does not match the only task';
    expect(three).toEqual({
      ...{ name: 'three', file: 'evals/three/eval.yaml', status: 'skipped', reason },
      results: null,
    });
    expect(stderr).toContain('3 evals: 1 passed, 1 failed, 1 skipped');
  });

  it('works with reporters of others, and tells each eval only of its own', async ({
    makeEvals,
  }) => {
    const suite = await makeEvals({ one: { tasks: { a: {} } }, two: { tasks: { b: {} } } });
    await suite.write(
      'mine.mjs',
      `export default ({ output }) => {
        const tasks = [];
        return {
          onEvent: (event) => void (event.type === 'task-run-started' && tasks.push(event.task)),
          onEnd: () => output.write(tasks.join()),
        };
      };`,
    );
    const reporter = ['--reporter', './mine.mjs={eval}.txt'];
    const { exitCode, stderr } = await suite.proctor(['check', 'evals', ...reporter]);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).not.toContain('error:');
    expect(await suite.read('one.txt')).toBe('a');
    expect(await suite.read('two.txt')).toBe('b');
  });
});

describe.concurrent('a selection over several evals', () => {
  it('that leaves nothing of one skips it, and says so', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: labelled('x') } },
      two: { tasks: { b: labelled('y') } },
    });
    const { exitCode, stdout, stderr } = await suite.proctor(
      // A warning that it is of no use to the other one would be an error here.
      ['check', 'evals', '-l', 'area=y', '--strict'],
    );
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain(
      'Skipped one (evals/one/eval.yaml): --label-selector area=y does not match',
    );
    expect(closingOf(stdout).at(-1)).toBe('2 evals: 1 passed, 1 skipped');
    expect(await outcomesOf(suite, 'one')).toBeUndefined();
    expect(await outcomesOf(suite, 'two')).toEqual(['b passed']);
  });

  it('that leaves nothing of any is an error', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: {} } },
      two: { tasks: { b: {}, c: {} } },
    });
    const { exitCode, stderr } = await suite.proctor(['check', 'evals', '-r', 'nothing']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--run nothing does not match the only task');
    expect(stderr).toContain('--run nothing matches none of the 2 tasks');
    expect(await outcomesOf(suite, 'one')).toBeUndefined();
  });

  it('warns of a label that none has', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: labelled('x') } },
      two: { tasks: { b: labelled('y') } },
    });
    const known = await suite.proctor(['check', 'evals', '-l', 'area=x,area=y']);
    expect(known.exitCode, known.stderr).toBe(0);
    expect(known.stderr).not.toContain('unused-label');
    const unknown = await suite.proctor(['check', 'evals', '-l', 'area=x,area=y,area=z']);
    expect(unknown.stderr).toContain('no task has the label area=z');
    expect(unknown.stderr).not.toContain('no task has the label area=y');
  });

  it('of what failed takes the results of each, and skips those without', async ({ makeEvals }) => {
    const suite = await makeEvals({
      one: { tasks: { a: failing, b: {} } },
      two: { tasks: { c: {} } },
    });
    await suite.proctor(['check', 'evals']);
    const again = ['check', 'evals', '--rerun-failed', 'proctor-{eval}-out.json'];
    const { exitCode, stdout, stderr } = await suite.proctor(again);
    expect(exitCode, stderr).toBe(1);
    expect(await outcomesOf(suite, '', 'proctor-one-rerun-out.json')).toEqual(['a failed']);
    expect(closingOf(stdout).at(-1)).toBe('2 evals: 1 failed, 1 skipped');
    const two = await suite.proctor(['check', 'evals/two', ...again.slice(2)]);
    expect(two.exitCode).toBe(2);
    expect(two.stderr).toContain('every task run in proctor-two-out.json passed');
  });
});
