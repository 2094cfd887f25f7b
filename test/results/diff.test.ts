import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultsDiff } from '../../src/analysis/diff/results-diff.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { withOutcome } from '../../testing/report-samples.js';
import { proctor } from '../support/cli.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { writeGeneratedResults } from '../support/report-results.js';

let folder: string;

const hostile = 'x | <img src=x onerror=alert(1)> `a` \u001b[31m @everyone';

/** Passes in as many runs as it says for its task, and is judged in all. */
const passing =
  (passes: (task: string) => number, more: Partial<TaskRunResult> = {}) =>
  (taskRun: TaskRunResult) => ({
    ...withOutcome(taskRun, taskRun.run <= passes(taskRun.task) ? 'passed' : 'failed'),
    ...more,
  });

const write = (name: string, change: (taskRun: TaskRunResult) => unknown, tasks = 8) =>
  writeGeneratedResults(path.join(folder, name), { id: name, tasks, runs: 10, calls: 1, change });

/** The same results with something else in place of a text. */
async function rewrite(from: string, to: string, text: string, other: string): Promise<void> {
  const results = await readFile(path.join(folder, from), 'utf8');
  expect(results).toContain(text);
  const id = results.replace(`"id":"${from}"`, `"id":"${to}"`);
  await writeFile(
    path.join(folder, to),
    id.replaceAll(text, () => other),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-diff-'));
  await write(
    'base.json',
    passing(() => 9),
  );
  await write(
    'again.json',
    passing(() => 9),
  );
  await write(
    'lower.json',
    passing((task) => (task === 'task 3' ? 8 : 9)),
  );
  await write(
    'broken.json',
    passing((task) => (task === 'task 3' ? 0 : 9)),
  );
  await write(
    'worse.json',
    passing(() => 5),
  );
  await write('errors.json', (taskRun) => withOutcome(taskRun, 'error'));
  await write('other-tasks.json', (taskRun) => ({
    ...taskRun,
    task: `other ${taskRun.task}`,
    path: `other/${taskRun.path}`,
    prompt: `Other: ${taskRun.prompt}`,
  }));
  await rewrite('base.json', 'other-model.json', '"model":"none"', '"model":"big"');
  await rewrite('broken.json', 'hostile.json', '"task 3"', JSON.stringify(hostile));
  await rewrite('base.json', 'hostile-base.json', '"task 3"', JSON.stringify(hostile));
  await rewrite('base.json', 'tools.json', 'Does feed pet.', 'Feeds a pet.');
  await rewrite('base.json', 'killed.json', '"finished":true', '"finished":false');
});

afterAll(() => rm(folder, { recursive: true }));

function diff(base: string, current: string, ...args: string[]) {
  return proctor(['diff', '--base', base, '--current', current, ...args], { cwd: folder });
}

async function diffData(base: string, current: string, ...args: string[]) {
  const { stdout } = await diff(base, current, '-o', 'json', ...args);
  return JSON.parse(stdout) as ResultsDiff & { gate: { failOn: string; stopped: boolean } };
}

describe('proctor diff', () => {
  it('says that a rerun shows no difference', async () => {
    const { exitCode, stdout, stderr } = await diff('base.json', 'again.json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^no detectable difference\n/);
    expect(stdout).toContain('90.0%');
  });

  it('stops for a whole that got worse', async () => {
    const { exitCode, stdout } = await diff('base.json', 'worse.json');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^worse overall\n/);
    expect(stdout).toMatch(/overall +regression \(p = 0\.008, exact sign-flip over 8 tasks\)/);
    expect(stdout).toContain('proctor view worse.json --failed');
  });

  it('stops for a single task that broke, and praises the way back', async () => {
    const { exitCode, stdout } = await diff('base.json', 'broken.json');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^worse in 1 task\n/);
    expect(stdout).toMatch(/task 3 .* regression/);
    const back = await diff('broken.json', 'base.json');
    expect(back.exitCode).toBe(0);
    expect(back.stdout).toMatch(/^better in 1 task\n/);
  });

  it.each([
    ['broken.json', 'never', 0],
    ['lower.json', 'regression', 0],
    ['lower.json', 'any-drop', 1],
    ['again.json', 'any-drop', 0],
  ])('with %s and --fail-on %s exits with %i', async (current, failOn, exitCode) => {
    const result = await diff('base.json', current, '--fail-on', failOn);
    expect(result.exitCode).toBe(exitCode);
  });

  it('takes several files a side as one sample', async () => {
    const args = ['diff', '--base', 'base.json', 'again.json', '--current', 'broken.json'];
    const { exitCode, stdout } = await proctor([...args, '-o', 'json'], { cwd: folder });
    expect(exitCode).toBe(1);
    const { tasks, total } = JSON.parse(stdout) as ResultsDiff;
    expect(tasks[0]).toMatchObject({
      task: 'task 3',
      base: { passed: 18, judged: 20 },
      current: { passed: 0, judged: 10 },
      verdict: 'regression',
    });
    expect(total.base.judged).toBe(160);
  });

  it('prints all of it as JSON, with what the gate says', async () => {
    const data = await diffData('base.json', 'broken.json');
    expect(data.gate).toEqual({ failOn: 'regression', stopped: true });
    expect(data.total).toMatchObject({ tasks: 8, verdict: 'no change' });
    expect(data.base).toMatchObject([{ path: 'base.json', eval: 'pets', finished: true }]);
    expect(data.caveats).toEqual([]);
  });

  it('tells which tools are defined in another way', async () => {
    const { tools } = await diffData('base.json', 'tools.json');
    expect(tools).toEqual([
      { server: 'pets', tool: 'feed_pet', change: 'redefined', parts: ['description'] },
    ]);
    const { stdout } = await diff('base.json', 'tools.json');
    expect(stdout).toContain('redefined  pets.feed_pet: description');
  });

  it('warns of a base that was killed', async () => {
    const { exitCode, stdout } = await diff('killed.json', 'again.json');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('note: base is unfinished');
  });

  it.each([
    ['other-model.json', 'different models: none, big', '--allow-different'],
    ['other-tasks.json', 'base and current have no task in common', 'the same tasks'],
    ['errors.json', 'no task was judged on both sides', 'proctor summary'],
    ['missing.json', 'missing.json does not exist', ''],
  ])('refuses to compare with %s', async (current, reason, hint) => {
    const { exitCode, stdout, stderr } = await diff('base.json', current);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain(hint);
  });

  it('compares another model if told, and says that it did', async () => {
    const { exitCode, stdout } = await diff('base.json', 'other-model.json', '--allow-different');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('note: different models: none, big');
  });

  it('asks for the side that is missing', async () => {
    const { exitCode, stderr } = await proctor(['diff', '--base', 'base.json'], { cwd: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--current is missing');
  });

  it('writes Markdown in which nothing from outside is markup', async () => {
    const { exitCode, stdout } = await diff('hostile-base.json', 'hostile.json', '-o', 'markdown');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^## Compared with the base: ❌ worse in 1 task\n/);
    expect(stdout).toContain('| `` x ¦ <img src=x onerror=alert(1)> `a` \ufffd[31m @everyone `` |');
    expect(stdout).toContain('<summary>7 tasks without a detectable change</summary>');
    expect(stdout).not.toContain('\u001b');
  });

  it('fits into a terminal, in colour', async () => {
    const args = ['diff', '--base', 'base.json', '--current', 'broken.json'];
    const shown = await proctorInTerminal(args, { cwd: folder, env: {} });
    expect(shown).toContain('\u001b[31mregression\u001b[39m');
    for (const line of stripVTControlCharacters(shown).split('\r\n')) {
      expect(line.length).toBeLessThanOrEqual(120);
    }
  });

  it('shows only what is worth a line of many tasks', async () => {
    await write(
      'many-base.json',
      passing(() => 9),
      30,
    );
    await write(
      'many.json',
      passing((task) => (task === 'task 7' ? 0 : 9)),
      30,
    );
    const { exitCode, stdout } = await diff('many-base.json', 'many.json');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/task 7 .* regression/);
    expect(stdout).not.toContain('task 8');
    expect(stdout).toContain(
      '29 tasks without a detectable change\n  29 tasks: -o json has them all',
    );
  });

  it('shows nothing to a terminal that it would obey', async () => {
    const { stdout } = await diff('hostile-base.json', 'hostile.json');
    expect(stdout).toContain('@everyone');
    expect(stdout).not.toContain('\u001b');
  });
});
