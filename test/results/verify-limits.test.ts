import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verification } from '../../src/analysis/thresholds/thresholds.js';
import { journalOfRuns, type Run, times } from '../support/journal-of-runs.js';
import { ScratchSuite } from '../support/scratch-suite.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({ tasks: {} });
});

afterAll(() => suite.remove());

function verify(...args: string[]) {
  return suite.proctor(['verify', ...args]);
}

async function verified(...args: string[]): Promise<Verification & { exitCode: number | null }> {
  const { exitCode, stdout } = await verify(...args, '-o', 'json');
  return { exitCode, ...JSON.parse(stdout) };
}

/** Writes the journal of a check with these task runs. */
async function journal(name: string, ...check: RunsOfCheck): Promise<string> {
  await suite.write(name, journalOfRuns(name, ...check));
  return name;
}

type RunsOfCheck = Parameters<typeof journalOfRuns> extends [string, ...infer Rest] ? Rest : never;

describe('what never passes', () => {
  it('is a run in which nothing was judged', async () => {
    const file = await journal('errors.jsonl', times(3, { outcome: 'error' }));
    const { exitCode, thresholds } = await verified(file, '--task', '0.01', '--max-errors', '3');
    expect(exitCode).toBe(1);
    expect(thresholds[0]).toMatchObject({
      found: null,
      holds: false,
      note: 'no task run was judged',
    });
    // Nothing is wrong with the number of errors, and still.
    expect((await verify(file, '--max-errors', '3')).exitCode).toBe(1);
  });

  it('is a rate over the few that could be judged', async () => {
    const runs = [...times(3, { outcome: 'passed' }), ...times(4, { outcome: 'error' })];
    const file = await journal('few.jsonl', runs);
    const { exitCode, stdout } = await verify(file, '--task', '0.8');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('4 task runs could not be judged: not in the rates');
    expect(stdout).toContain('--max-errors, not given  task runs not judged 4, wanted at most 3');
    expect((await verify(file, '--task', '0.8', '--max-errors', '4')).exitCode).toBe(0);
  });

  it('is pass^k of the few tasks that ran so often', async () => {
    const often = times(2, { outcome: 'passed' });
    const runs: Run[] = ['bark', 'limp'].map((task) => ({ task, outcome: 'failed' }));
    const file = await journal('once.jsonl', [...often, ...runs]);
    const { exitCode, thresholds } = await verified(file, '--pass-hat-k', '2=0.1');
    expect(exitCode).toBe(1);
    expect(thresholds).toMatchObject([
      { found: null, note: '2 of 3 tasks with fewer than 2 judged runs' },
    ]);
    const twice = times(2, { task: 'purr', outcome: 'passed' });
    const most = await journal('most.jsonl', [...often, ...twice, ...runs.slice(1)]);
    expect((await verify(most, '--pass-hat-k', '2=0.1')).exitCode).toBe(0);
  });

  it.each([
    [{ allAssertionsPassed: false, assertionResults: null }],
    [{ allAssertionsPassed: false, assertionResults: 'x' }],
    [{ allAssertionsPassed: false, assertionResults: { toolsUsed: { passed: 'false' } } }],
    [{ allAssertionsPassed: true, assertionResults: { toolsUsed: { passed: 'false' } } }],
    [
      {
        allAssertionsPassed: false,
        assertionResults: { toolsUsed: { passed: true }, callOrder: { passed: 'false' } },
      },
    ],
  ])('is a rate of assertions that are not listed: %j', async (told) => {
    const passed = { taskName: 'walk', taskPassed: true, allAssertionsPassed: true };
    await suite.write(
      'unlisted.json',
      JSON.stringify([passed, { taskName: 'feed', taskPassed: true, ...told }]),
    );
    const { exitCode, thresholds } = await verified('unlisted.json', '--assertion', '0.1');
    expect(exitCode).toBe(1);
    expect(thresholds).toMatchObject([
      {
        ...{ option: '--assertion', applies: true, holds: false },
        note: '1 task run without a list of the assertions that were checked',
      },
    ]);
  });

  it('is no rate of assertions where tasks have none: that threshold does not apply', async () => {
    const file = await journal('without.jsonl', times(2, { outcome: 'passed' }));
    const { exitCode, stdout } = await verify(file, '--assertion', '0.9');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining(
        'not applicable  --assertion  the results have no assertions',
      ),
    });
    expect(stdout).toContain('passed: no threshold applies to these results');
    const both = await verified(file, '--assertion', '0.9', '--task', '0.9');
    expect(both.thresholds).toMatchObject([
      { option: '--task', applies: true, holds: true },
      { option: '--assertion', applies: false, found: null },
    ]);
  });

  it('is a rate of assertions of which it is not known whether there are any', async () => {
    const file = await journal('none.jsonl', times(2, { outcome: 'timeout' }));
    const { exitCode, thresholds } = await verified(file, '--assertion', '0.1');
    expect(exitCode).toBe(1);
    expect(thresholds).toMatchObject([{ found: null, note: 'no assertion was checked' }]);
  });

  it('is a check that was killed, whatever it did till then, unless that is allowed', async () => {
    const runs = times(1, { outcome: 'passed' });
    const file = await journal('killed.jsonl', runs, { planned: 40, isEnded: false });
    const { exitCode, stdout } = await verify(file, '--task', '0.8');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('unfinished: 1 of 40 task runs have a verdict');
    expect(stdout).toContain('not passed: the results are unfinished');
    expect((await verify(file, '--task', '0.8', '--allow-unfinished')).exitCode).toBe(0);
  });

  it('is a check that left task runs out', async () => {
    const file = await journal('short.jsonl', times(4, { outcome: 'passed' }), { planned: 5 });
    expect((await verify(file, '--task', '0.8')).exitCode).toBe(1);
  });
});

describe('costs and tokens', () => {
  const usage = { inputTokens: 900, outputTokens: 100 };

  it('count over all task runs', async () => {
    const file = await journal('paid.jsonl', times(3, { outcome: 'passed', cost: 0.1, usage }));
    const fine = await verify(file, '--max-cost', '0.3', '--max-tokens', '3000');
    expect(fine.exitCode).toBe(0);
    const { exitCode, thresholds } = await verified(
      file,
      '--max-cost',
      '.25',
      '--max-tokens',
      '2999',
    );
    expect(exitCode).toBe(1);
    expect(thresholds).toMatchObject([
      { option: '--max-cost', holds: false, missedBy: expect.closeTo(0.05, 12) },
      { option: '--max-tokens', holds: false, found: 3000, missedBy: 1 },
    ]);
  });

  it('show how close a miss is', async () => {
    const file = await journal('close.jsonl', times(3, { outcome: 'passed', cost: 0.1 }));
    const { stdout } = await verify(file, '--max-cost', '0.29999');
    expect(stdout).toContain('missed by $0.00001 ');
  });

  it('are not known if one task run does not report them', async () => {
    const reported = times(3, { outcome: 'passed', cost: 0.1, usage });
    const file = await journal('partly.jsonl', [...reported, { outcome: 'timeout' }]);
    const { exitCode, stdout } = await verify(file, '--max-cost', '5');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('cost unknown, wanted at most $5.00  not reported by 1 task run');
    expect((await verify(file, '--max-cost', '0.2')).stdout).toContain('missed by $0.10');
  });
});

describe('a negative cost', () => {
  it('is not counted, and makes up for nothing', async () => {
    const runs = (cost: number): Run[] => [
      { outcome: 'passed', cost },
      { outcome: 'passed', cost: -100 },
    ];
    const dear = await journal('dear.jsonl', runs(100));
    expect((await verified(dear, '--max-cost', '1')).thresholds).toMatchObject([{ found: 100 }]);
    const cheap = await journal('cheap.jsonl', runs(0.5));
    const { exitCode, thresholds } = await verified(cheap, '--max-cost', '1');
    expect({ exitCode, thresholds }).toMatchObject({
      exitCode: 1,
      thresholds: [{ found: null, note: 'not reported by 1 task run' }],
    });
  });

  it('in results is left out, and an unknown cost keeps no limit', async () => {
    const file = await journal('paid-once.jsonl', [{ outcome: 'passed', cost: 100 }]);
    await suite.proctor(['result', 'merge', file, '--out', 'paid-once.json']);
    const text = await suite.read('paid-once.json');
    await suite.write('refund.json', text.replaceAll('"cost":100', '"cost":-100'));
    const { exitCode, stderr } = await verify('refund.json', '--max-cost', '1');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('taskRuns[0].cost: expected a number of at least 0, found -100');
  });
});

describe('confidence', () => {
  it('asks more of runs of one task than of as many tasks', async () => {
    const passes = (task: string, count: number) => times(count, { task, outcome: 'passed' });
    const fails = (task: string, count: number) => times(count, { task, outcome: 'failed' });
    const alike = await journal('alike.jsonl', [...passes('a', 15), ...fails('b', 5)]);
    const mixed = await journal(
      'mixed.jsonl',
      Array.from({ length: 5 }, (_, at) => [...passes(`t${at}`, 3), ...fails(`t${at}`, 1)]).flat(),
    );
    const bound = async (file: string) =>
      (await verified(file, '--task', '0.1', '--confidence', '0.95')).thresholds[0]?.found ?? 0;
    expect(await bound(alike)).toBeLessThan(await bound(mixed));
  });

  it('asks more the surer one wants to be', async () => {
    const passes = times(7, { outcome: 'passed' });
    const file = await journal('seven.jsonl', [...passes, { outcome: 'failed' }]);
    const bound = async (confidence: string) =>
      (await verified(file, '--task', '0.1', '--confidence', confidence)).thresholds[0]?.found;
    expect(await bound('0.99')).toBeLessThan((await bound('0.8')) ?? 0);
  });

  it('holds of several files as one sample', async () => {
    const half = times(5, { outcome: 'passed' });
    const first = await journal('first.jsonl', half);
    const second = await journal('second.jsonl', half);
    const threshold = ['--task', '0.7', '--confidence', '0.95'];
    // Wilson's lower bound of 5 of 5 is 0.57, of 10 of 10 it is 0.72.
    expect((await verify(first, ...threshold)).exitCode).toBe(1);
    expect((await verify(first, second, ...threshold)).exitCode).toBe(0);
  });
});
