import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examples, proctor } from '../support/cli.js';

interface TaskRun {
  task: string;
  outcome: string;
  difficulty: string;
  verified: boolean | null;
  assertions: { name: string; passed: boolean; reason: string }[];
}

const evalFile = path.join(examples, 'quickstart/eval.yaml');
const agents = path.join(examples, 'quickstart/agents');

/** The assertions that the eval and its tasks write down, each once. */
function listWrittenAssertions(): string[] {
  const files = readdirSync(path.dirname(evalFile), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parse(readFileSync(path.join(path.dirname(evalFile), name), 'utf8')));
  const maps = files.flatMap(({ config, spec, steps }) => [
    spec,
    steps,
    ...(config?.taskSets ?? []),
  ]);
  return [...new Set(maps.flatMap((map) => Object.keys(map?.assertions ?? {})))].sort();
}

function assertionsOf(taskRuns: TaskRun[]): string[] {
  const names = taskRuns.flatMap(({ assertions }) => assertions.map(({ name }) => name));
  return [...new Set(names)].sort();
}

describe('the quickstart', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'proctor-quickstart-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function check(name: string, ...args: string[]) {
    const out = path.join(folder, `${name}.json`);
    const { exitCode, stdout, stderr } = await proctor(['check', evalFile, '--out', out, ...args], {
      cwd: folder,
      env: { TMPDIR: folder },
    });
    const { taskRuns } = JSON.parse(await readFile(out, 'utf8')) as { taskRuns: TaskRun[] };
    return { exitCode, taskRuns, output: stdout + stderr };
  }

  it('passes with the scripted agent, checks every assertion that is written there, and leaves only its results', async () => {
    const { exitCode, taskRuns, output } = await check('passing');
    expect(exitCode, output).toBe(0);
    expect(taskRuns).toHaveLength(11);
    for (const taskRun of taskRuns) {
      expect(taskRun).toMatchObject({ outcome: 'passed', verified: true });
      for (const { passed, reason } of taskRun.assertions) expect(passed, reason).toBe(true);
    }
    expect((await readdir(folder)).sort()).toEqual(['passing.json', 'passing.jsonl']);
    expect(assertionsOf(taskRuns)).toEqual(listWrittenAssertions());
    for (const wanted of ['easy', 'medium', 'hard']) {
      const tasks = taskRuns.filter(({ difficulty }) => difficulty === wanted);
      expect(new Set(tasks.map(({ task }) => task)).size).toBe(3);
    }
  });

  it('has no task that an agent passes by doing nothing', async () => {
    const { exitCode, output } = await check('control', '--control');
    expect(exitCode, output).toBe(0);
    expect(output).toContain('Every task fails without an agent, as it should (9 tasks)');
  });

  it('shows a failure with the hasty agent, which does two things in the wrong order', async () => {
    const agent = path.join(agents, 'hasty.yaml');
    const { exitCode, taskRuns } = await check('red', '--agent', agent, '-n', '1');
    expect(exitCode).toBe(1);
    const failed = taskRuns.filter(({ outcome }) => outcome !== 'passed');
    expect(failed.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      'merge-green-tea failed',
    ]);
    expect(failed[0]?.assertions.filter(({ passed }) => !passed)).toMatchObject([
      { name: 'callOrder' },
    ]);
  });

  it('fails for an agent that writes before it looks, and says so', async () => {
    const agent = path.join(folder, 'hasty.yaml');
    const script = await readFile(path.join(agents, 'scripted.yaml'), 'utf8');
    const hasty = script
      .replace(
        'tool: find_items, args: { text: kettle }',
        'tool: set_quantity, args: { id: 2, quantity: 5 }',
      )
      .replace('{results.1.items[0].id}", quantity: 6', '{results.1.id}", quantity: 6');
    await writeFile(agent, hasty);
    const { exitCode, taskRuns } = await check('hasty', '--agent', agent, '--run', 'sell-kettles');
    expect(exitCode).toBe(1);
    const failed = taskRuns[0]?.assertions.filter(({ passed }) => !passed);
    expect(failed).toMatchObject([
      {
        name: 'callOrder',
        reason:
          'expected a tool of inventory that matches /^(list|find)_items$/, then inventory.set_quantity; a tool of inventory that matches /^(list|find)_items$/ was not called',
      },
    ]);
  });
});
