import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({
    tasks: { good: {}, idle: { spec: { verify: [script('true')] } } },
    assertions: { maxToolCalls: 3 },
  });
  expect(await suite.proctor(['check', 'eval.yaml'])).toMatchObject({ exitCode: 0 });
});

beforeAll(async () => {
  await suite.proctor(['check', 'eval.yaml', '--control']);
});

afterAll(() => suite.remove());

const real = 'proctor-suite-out.json';
const control = 'proctor-suite-control.json';
const note = `note: left out ${control}: it comes from check --control\n`;

describe('results of a control run', () => {
  it('have a name that the glob of the quickstart does not match', async () => {
    const names = await readdir(suite.folder);
    expect(names).toEqual(expect.arrayContaining([real, control]));
    expect(names.filter((name) => /^proctor-.*-out\.json$/.test(name))).toEqual([real]);
  });

  it.each([
    ['summary'],
    ['verify', '--task', '0.5'],
    ['report', '--out', 'mixed.html'],
    ['report', '--pool', '--out', 'mixed.html'],
    ['result', 'tools'],
    ['result', 'convert', 'csv'],
    ['result', 'convert', 'junit'],
    ['result', 'convert', 'markdown'],
    ['result', 'convert', 'mcpchecker'],
    ['view'],
  ])('are left out beside others, and named: %s %s', async (...args) => {
    const alone = await suite.proctor([...args, real]);
    const mixed = await suite.proctor([...args, control, real]);
    expect(mixed.stderr).toBe(`${note}${alone.stderr}`);
    const settled = (text: string) => text.replace(/\d+ kB/, 'so much');
    expect({ ...mixed, stdout: settled(mixed.stdout), stderr: '' }).toEqual({
      ...alone,
      stdout: settled(alone.stdout),
      stderr: '',
    });
  });

  it('do not give their name to a report', async () => {
    const { stdout } = await suite.proctor(['report', control, real]);
    expect(stdout).toContain('proctor-suite-out.html (2 task runs,');
  });

  it('are left out by diff on either side, and by merge', async () => {
    const diff = await suite.proctor(['diff', '--base', control, real, '--current', real]);
    expect(diff).toMatchObject({ exitCode: 0, stderr: note });
    const merge = await suite.proctor(['result', 'merge', control, real, '--out', 'merged.json']);
    expect(merge).toMatchObject({ exitCode: 0 });
    expect(merge.stderr).toBe(`warning left out ${control}: it comes from check --control\n`);
    expect(merge.stdout).toContain('2 task runs of 2 tasks from 1 evaluation');
  });

  it.each([
    ['summary', control],
    ['report', control],
    ['result', 'tools', control],
    ['result', 'convert', 'csv', control],
    ['result', 'compare', control],
    ['result', 'merge', control, '--out', 'merged.json'],
    ['diff', '--base', control, '--current', real],
    ['diff', '--base', real, '--current', control],
    ['recheck', control, '--eval', 'eval.yaml'],
    ['check', 'eval.yaml', '--rerun-failed', control],
  ])('are refused where there is nothing else: %s', async (...args) => {
    const { exitCode, stdout, stderr } = await suite.proctor(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`${control} comes from check --control: no agent ran`);
  });

  it('can be looked at', async () => {
    const { exitCode, stdout } = await suite.proctor(['view', control]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('good');
  });
});
