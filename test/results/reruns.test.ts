import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const tasks = { good: {}, wrong: { spec: { verify: [script('test ! -e broken')] } } };

/** Results in which one task failed, those of running it again, and both in one file. */
async function withRerun(suite: ScratchSuite): Promise<void> {
  expect(await suite.check(['--runs', '4'])).toMatchObject({ exitCode: 1 });
  await suite.proctor(['check', 'eval.yaml', '--runs', '4', '--out', 'base.json']);
  await rm(suite.path('tasks/broken'));
  const again = ['check', 'eval.yaml', '--runs', '4', '--rerun-failed', 'out.json'];
  expect(await suite.proctor([...again, '--out', 'again.json'])).toMatchObject({ exitCode: 0 });
  const both = ['result', 'merge', 'again.json', 'out.json', '--out', 'both.json'];
  expect(await suite.proctor(both)).toMatchObject({ exitCode: 0 });
}

const broken = { tasks, files: { 'tasks/broken': '' } };
const samples = [['out.json', 'again.json'], ['again.jsonl', 'out.json'], ['both.json']];

it('keeps task runs out of the rates that ran again because they failed', async ({ makeSuite }) => {
  const suite = await makeSuite(broken);
  await withRerun(suite);
  const json = async (args: string[]) => JSON.parse((await suite.proctor(args)).stdout);
  const alone = await json(['summary', '-o', 'json', 'out.json']);
  expect(alone).toMatchObject({ reruns: null, totals: { rate: { passed: 4, judged: 8 } } });
  for (const files of samples) {
    const summary = await json(['summary', '-o', 'json', ...files]);
    expect(summary.reruns).toEqual({ taskRuns: 4, leftOut: true });
    for (const key of ['rate', 'outcomes', 'passWithK', 'flaky', 'taskRuns', 'notRun']) {
      expect(summary.totals[key], key).toEqual(alone.totals[key]);
    }
    expect(summary.tasks.map(({ rate }: { rate: object }) => rate)).toEqual(
      alone.tasks.map(({ rate }: { rate: object }) => rate),
    );
    const { stdout } = await suite.proctor(['summary', ...files]);
    expect(stdout).toContain('4 task runs of --rerun-failed are in no rate');
    const verified = await suite.proctor(['verify', '--task', '0.6', ...files]);
    expect(verified).toMatchObject({ exitCode: 1 });
    expect(verified.stdout).toContain('4 task runs of --rerun-failed are in no rate');
    const diff = await json(['diff', '-o', 'json', '--base', 'base.json', '--current', ...files]);
    expect(diff.caveats).toContainEqual(
      expect.stringMatching(/^current: 4 task runs of --rerun-failed are in no rate/),
    );
    expect(diff.total.current).toMatchObject({ passed: 4, judged: 8 });
  }
});

it('counts what running again took', async ({ makeSuite }) => {
  const suite = await makeSuite(broken);
  await withRerun(suite);
  const { stdout } = await suite.proctor(['summary', '-o', 'json', 'out.json', 'again.json']);
  const { totals, tasks: told } = JSON.parse(stdout);
  const untold = (amounts: { untold: { cost: number } }) => amounts.untold.cost;
  expect(
    told.map(({ amounts }: { amounts: Parameters<typeof untold>[0] }) => untold(amounts)),
  ).toEqual([4, 4]);
  expect(untold(totals.amounts)).toBe(12);
});

it('says what results are that hold nothing else, and compares them with none', async ({
  makeSuite,
}) => {
  const suite = await makeSuite(broken);
  await withRerun(suite);
  const { stdout } = await suite.proctor(['summary', 'again.json']);
  expect(stdout).toContain('all of it comes from --rerun-failed');
  expect(stdout).toContain('4 of 4');
  const compare = ['diff', '--base', 'out.json', '--current', 'again.json'];
  const refused = await suite.proctor(compare);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain('current ran only what did not pass before (--rerun-failed)');
  const allowed = await suite.proctor([...compare, '--allow-different']);
  expect(allowed.stdout).toContain('current ran only what did not pass before');
});
