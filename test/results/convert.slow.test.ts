import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { describe, expect, inject } from 'vitest';
import { csvColumns } from '../../src/reporters/csv.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

const parts = {
  tasks: { good: {}, wrong: { spec: { verify: [script('exit 3')] } } },
  agent: scripted(callTelling('who'), { say: '=cmd()' }),
  assertions: { minToolCalls: 1 },
};

describe('proctor result convert', () => {
  it('writes JUnit, Markdown and CSV', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await suite.check();
    const convert = (format: string) => suite.proctor(['result', 'convert', format, 'out.json']);
    const junit = await convert('junit');
    expect(junit).toMatchObject({ exitCode: 0, stderr: '' });
    expect(junit.stdout).toContain('tests="2" failures="1" errors="0"');
    expect((await convert('markdown')).stdout).toContain('1 of 2 judged task runs passed');
    const [header, ...rows] = (await convert('csv')).stdout.split('\r\n');
    expect(header).toBe(Object.keys(csvColumns).join(','));
    expect(rows).toEqual([
      expect.stringMatching(/^out\.json,suite,agent,,,good,tasks\/good\.yaml,,,1,1,1,passed,/),
      expect.stringMatching(/^out\.json,suite,agent,,,wrong,.*,failed,verification-failed,/),
      '',
    ]);
  });

  it('writes what mcpchecker writes, which is read with the same verdicts', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts);
    await suite.check();
    const words = ['result', 'convert', 'mcpchecker', 'out.json', '--output-file', 'old.json'];
    expect(await suite.proctor(words)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const { results } = JSON.parse(await suite.read('old.json'));
    expect(results).toMatchObject([
      {
        taskName: 'good',
        taskPassed: true,
        allAssertionsPassed: true,
        assertionResults: { minToolCalls: { passed: true } },
        callHistory: { ToolCalls: [{ serverName: 'telling', name: 'who' }], PromptGets: [] },
      },
      { taskName: 'wrong', taskPassed: false, allAssertionsPassed: true },
    ]);
    const summaryOf = async (file: string) => {
      const { stdout } = await suite.proctor(['summary', file, '-o', 'json']);
      return JSON.parse(stdout).tasks.map(
        ({ task, outcomes }: { task: string; outcomes: object }) => {
          return { task, outcomes };
        },
      );
    };
    expect(await summaryOf('old.json')).toEqual(await summaryOf('out.json'));
  });

  it('takes journals, and several files that tell the same as one', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await suite.check();
    const { stdout } = await suite.proctor(['result', 'convert', 'junit', 'out.json', 'out.jsonl']);
    expect(stdout).toContain('<testsuites name="proctor" tests="2"');
  });

  it.each([
    [['jnit', 'out.json'], 'unknown format "jnit"\n  did you mean junit?'],
    [['csv', 'none.json'], 'none.json does not exist'],
    [['csv', 'eval.yaml'], 'eval.yaml holds no results'],
    [['csv', 'cut.json', '--output-file', 'x.csv'], 'cut.json is damaged'],
    [['csv', 'out.json', '--output-file', 'out.json'], 'out.json is one of the results'],
    [['csv', 'out.json', '--output-file', 'no/x.csv'], 'its folder does not exist'],
    [['csv', 'out.json', '--output-file', '/dev/full'], 'the disk is full'],
  ])('%j is refused, and leaves nothing', async (words, message) => {
    const { ScratchSuite } = await import('../support/scratch-suite.js');
    const suite = await ScratchSuite.create(parts);
    try {
      await suite.check();
      const whole = await suite.read('out.json');
      await suite.write('cut.json', whole.slice(0, whole.indexOf('"taskRuns"')));
      const before = await readdir(suite.folder);
      const { exitCode, stderr } = await suite.proctor(['result', 'convert', ...words]);
      expect(stderr).toContain(message);
      expect(exitCode).toBe(2);
      expect(await readdir(suite.folder)).toEqual(before);
    } finally {
      await suite.remove();
    }
  });

  it('is quiet when its reader goes away', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await suite.check();
    const child = spawn(testNode, [proctorProgram, 'result', 'convert', 'junit', 'out.json'], {
      cwd: suite.folder,
      env: { PATH: process.env.PATH, HOME: inject('homeFolder') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('needs no memory for what many task runs add to a suite', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const { results } = await suite.check();
    const [taskRun] = results?.taskRuns ?? [];
    const label = (_: unknown, index: number) => [`label-${index}`, 'x'.repeat(500)];
    const labels = Object.fromEntries(Array.from({ length: 20 }, label));
    const taskRuns = Array.from({ length: 3000 }, (_, index) => {
      return { ...taskRun, labels, task: `task-${index}` };
    });
    await suite.write('many.json', JSON.stringify({ ...results, taskRuns }));
    const words = ['result', 'convert', 'junit', 'many.json', '--output-file', 'many.xml'];
    const smallHeap = { NODE_OPTIONS: '--max-old-space-size=32' };
    expect(await suite.proctor(words, smallHeap)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await suite.read('many.xml')).toContain('tests="3000"');
  });
});
