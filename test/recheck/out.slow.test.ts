import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { ResultsDiff } from '../../src/analysis/diff/results-diff.js';
import type { TaskRunRecord } from '../../src/results/task-run-record.js';
import { fixtures } from '../support/cli.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

const parts = {
  tasks: {
    calls: {},
    unverified: { spec: { verify: [script('false')] } },
    unready: { spec: { setup: [script('false')], verify: [script('true')] } },
  },
  agent: scripted(callTelling('echo', { text: 'hi' }), { say: 'hi' }),
  assertions: { maxToolCalls: 0 },
};

async function edit(suite: ScratchSuite, assertions: object): Promise<void> {
  const data = JSON.parse(await suite.read('eval.yaml'));
  data.config.taskSets[0].assertions = assertions;
  await suite.write('eval.yaml', JSON.stringify(data));
}

type Written = { rechecked: object; totals: { outcomes: object }; taskRuns: TaskRunRecord[] };

async function recheckTo(suite: ScratchSuite, results: string, out: string): Promise<Written> {
  const args = ['recheck', results, '--eval', 'eval.yaml', '--out', out];
  const { exitCode, stdout, stderr } = await suite.proctor(args);
  expect(exitCode, stderr).toBeLessThan(2);
  expect(stdout).toContain(`Results: ${out} (`);
  return JSON.parse(await suite.read(out));
}

it('recheck --out writes results with the verdicts of today', async ({ makeSuite }) => {
  const suite = await makeSuite(parts);
  const { results } = await suite.check();
  expect(results?.totals.outcomes).toMatchObject({ passed: 0, failed: 2, error: 1 });
  await edit(suite, { maxToolCalls: 1, toolsUsed: [{ server: 'telling', tool: 'echo' }] });
  for (const from of ['out.json', 'out.jsonl']) {
    const written = await recheckTo(suite, from, 'new.json');
    expect(written.rechecked).toMatchObject({ eval: { name: 'suite', file: 'eval.yaml' } });
    expect(written.totals.outcomes).toMatchObject({ passed: 1, failed: 1, error: 1 });
    // What judges them is told by the digests of the assertions that were used.
    const digests = written.taskRuns.map(({ judging }) => Object.keys(judging?.assertions ?? {}));
    expect(digests).toContainEqual(['maxToolCalls', 'toolsUsed']);
    const verdicts = written.taskRuns.map(({ task, outcome, failure, assertions }) => [
      ...[task, outcome, failure?.category],
      assertions.map(({ name, passed }) => `${name} ${passed}`),
    ]);
    expect(verdicts.sort()).toEqual([
      ['calls', 'passed', undefined, ['maxToolCalls true', 'toolsUsed true']],
      ['unready', 'error', 'setup-failed', []],
      [...['unverified', 'failed', 'verification-failed'], ['maxToolCalls true', 'toolsUsed true']],
    ]);
    // All else stands there as it was recorded.
    const [before, after] = [results?.taskRuns ?? [], written.taskRuns].map((taskRuns) =>
      taskRuns.map(({ calls, phases, output, usage }) => ({ calls, phases, output, usage })),
    );
    expect(after).toEqual(before);
  }
  const diff = await suite.proctor([
    'diff',
    '--base',
    'out.json',
    '--current',
    'new.json',
    '--allow-different',
    '-o',
    'json',
  ]);
  const { tasks }: ResultsDiff = JSON.parse(diff.stdout);
  expect(tasks.find(({ task }) => task === 'calls')).toMatchObject({
    base: { passed: 0 },
    current: { passed: 1 },
  });
  const summary = await suite.proctor(['summary', 'new.json']);
  expect(summary.stdout).toContain('new.json was rechecked by the assertions of eval.yaml on 2');
  expect((await suite.proctor(['view', 'new.json'])).stdout).toContain('new.json was rechecked by');
  const verified = await suite.proctor(['verify', 'new.json', '--task', '0.5']);
  expect(verified).toMatchObject({ exitCode: 0 });
  expect((await suite.proctor(['report', 'new.json'])).stdout).toContain('new.html (3 task runs');
  const merged = ['result', 'merge', 'out.json', 'new.json', '--out', 'both.json'];
  expect((await suite.proctor(merged)).stderr).toContain('calls is judged differently');
});

it('recheck --out leaves out what was not asked for', async ({ makeSuite }) => {
  const suite = await makeSuite(parts);
  await suite.check();
  const args = ['recheck', 'out.json', '--eval', 'eval.yaml', '-r', '^calls$', '--out', 'new.json'];
  const { stdout } = await suite.proctor(args);
  expect(stdout).toContain(
    'Results: new.json (1 task run, 0 with another outcome, 2 not rechecked and left out)',
  );
  const summary = await suite.proctor(['summary', 'new.json', '-o', 'json']);
  expect(JSON.parse(summary.stdout)).toMatchObject({ unfinished: [], totals: { taskRuns: 1 } });
});

it('recheck --out keeps failures whose task the eval does not have', async ({ makeSuite }) => {
  const suite = await makeSuite(parts);
  const { results } = await suite.check();
  const data = JSON.parse(await suite.read('out.json'));
  const gone = data.taskRuns.find(({ task }: TaskRunRecord) => task === 'unverified');
  gone.task = 'gone';
  await suite.write('out.json', JSON.stringify(data));
  const args = ['recheck', 'out.json', '--eval', 'eval.yaml', '--out', 'new.json'];
  const { stdout } = await suite.proctor(args);
  expect(stdout).toContain(
    'Results: new.json (3 task runs, 0 with another outcome, 1 not in the eval and as recorded)',
  );
  const written = JSON.parse(await suite.read('new.json'));
  expect(written.taskRuns).toContainEqual(gone);
  expect(written.totals.outcomes).toEqual(results?.totals.outcomes);
});

it('recheck --out writes results of a file with odd totals and sources', async ({ makeSuite }) => {
  const suite = await makeSuite(parts);
  await suite.check();
  const data = JSON.parse(await suite.read('out.json'));
  for (const [odd, why] of [
    [{ totals: null }, ['running']],
    [{ totals: { planned: 'x' }, sources: [null] }, ['running']],
    [{ sources: 7 }, []],
  ]) {
    await suite.write('odd.json', JSON.stringify({ ...data, ...odd }));
    await recheckTo(suite, 'odd.json', 'new.json');
    const { stdout } = await suite.proctor(['summary', 'new.json', '-o', 'json']);
    const { unfinished } = JSON.parse(stdout);
    expect([odd, unfinished.map((each: { why: string }) => each.why)]).toEqual([odd, why]);
  }
});

it('recheck --out refuses to overwrite what it reads, and the suite', async ({ makeSuite }) => {
  const suite = await makeSuite(parts);
  await suite.check();
  const args = ['recheck', 'out.json', '--eval', 'eval.yaml', '--out'];
  for (const out of ['./out.json', 'out.jsonl', 'eval.yaml', 'tasks/calls.yaml', 'agent.yaml']) {
    const before = await suite.read(out);
    expect(await suite.proctor([...args, out])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/would be overwritten/),
    });
    expect(await suite.read(out)).toBe(before);
  }
});

it("recheck --out makes results of ours out of mcpchecker's", async ({ makeSuite }) => {
  const suite = await makeSuite({ tasks: {} });
  await cp(path.join(fixtures, 'recheck'), suite.folder, { recursive: true });
  const written = await recheckTo(suite, 'mcpchecker.json', 'ours.json');
  expect(written.taskRuns.length).toBeGreaterThan(0);
  for (const command of [['summary'], ['view'], ['result', 'tools'], ['report']]) {
    const { exitCode, stderr } = await suite.proctor([...command, 'ours.json']);
    expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 0, stderr: '' });
  }
});
