import { spawnSync } from 'node:child_process';
import { readdir, symlink } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { jsonSchemaOf } from '../../src/results/schema/json-schemas.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, scripted, tellingServer } from '../support/suite-parts.js';

const steps = { prompt: { inline: 'Do it' }, verify: { inline: 'exit 0' } };
const parts = {
  tasks: {
    a: { steps, parallel: true },
    b: { steps: { ...steps, verify: { inline: 'exit 1' } }, parallel: true },
    c: { steps, parallel: true },
  },
  agent: scripted(callTelling('environment')),
  servers: { telling: tellingServer() },
};

async function check(suite: ScratchSuite, out: string, ...args: string[]): Promise<void> {
  const { stderr } = await suite.proctor(['check', 'eval.yaml', '--out', out, ...args]);
  expect(stderr).not.toContain('error:');
}

const merge = (suite: ScratchSuite, ...args: string[]) =>
  suite.proctor(['result', 'merge', ...args]);

describe('proctor result merge', () => {
  it('makes of shards what one run would have been, in whatever order', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    for (const shard of [1, 2, 3]) {
      await check(suite, `${shard}.json`, '--shard', `${shard}/3`, '-n', '2');
    }
    await check(suite, 'whole.json', '-n', '2');

    const { exitCode, stdout, stderr } = await merge(
      suite,
      ...['2.json', '3.jsonl', '1.json', '--out', 'all.json'],
    );

    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: 'all.json: 6 task runs of 3 tasks from 3 evaluations\n',
      stderr: '',
    });
    const text = await suite.read('all.json');
    const results = JSON.parse(text);
    const whole = JSON.parse(await suite.read('whole.json'));
    const { outcomes, planned, tasks } = whole.totals;
    expect(results.totals).toMatchObject({ outcomes, planned, tasks, notRun: 0 });
    expect(new Ajv2020({ strict: false }).validate(jsonSchemaOf('results'), results)).toBe(true);

    await merge(suite, '3.json', '1.jsonl', '2.json', '1.json', '--out', 'again.json');
    expect(await suite.read('again.json')).toBe(text);
    const summaries = await Promise.all([
      suite.proctor(['summary', 'all.json', '-o', 'json']),
      suite.proctor(['summary', '1.json', '2.json', '3.json', '-o', 'json']),
    ]);
    const [one, pooled] = summaries.map((each) => JSON.parse(each.stdout));
    expect(one.totals.outcomes).toEqual(pooled.totals.outcomes);
    expect(one.totals.rate).toEqual(pooled.totals.rate);
    expect((await readdir(suite.folder)).filter((name) => name.includes('merge'))).toEqual([]);
  });

  it('counts the runs of evaluations that were repeated anew', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await check(suite, '1.json', '-r', 'a');
    await check(suite, '2.json', '-r', 'a');
    await merge(suite, '2.json', '1.json', '--out', 'all.json');
    const { taskRuns, sources } = JSON.parse(await suite.read('all.json'));
    const ids = sources.map(({ id }: { id: string }) => id);
    expect(taskRuns).toMatchObject([
      { task: 'a', run: 1, runs: 2, from: { id: ids[0], run: 1 } },
      { task: 'a', run: 2, runs: 2, from: { id: ids[1], run: 1 } },
    ]);
    expect(sources).toMatchObject([{ journal: '1.jsonl' }, { journal: '2.jsonl' }]);
  });

  it('refuses what does not belong together, and leaves nothing behind', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await check(suite, '1.json', '-r', 'a');
    await suite.write(
      'other.json',
      (await suite.read('1.json')).replace('"outcome":"passed"', '"outcome":"failed"'),
    );
    await suite.write('eval.yaml', (await suite.read('eval.yaml')).replace('"suite"', '"other"'));
    await check(suite, '2.json', '-r', 'a');
    const before = await readdir(suite.folder);

    const unlike = await merge(suite, '1.json', '2.json', '--out', 'all.json');
    const told = await merge(suite, '1.json', 'other.json', '--out', 'all.json', '--force');
    const missing = await merge(suite, '1.json', 'nothing.json', '--out', 'all.json');
    const nowhere = await merge(suite, '1.json');
    const noFolder = await merge(suite, '1.json', '--out', 'none/all.json');
    const isFolder = await merge(suite, '1.json', 'tasks', '--out', 'all.json');

    expect(unlike).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unlike.stderr).toContain('the eval is');
    expect(unlike.stderr).toContain('--force');
    expect(told).toMatchObject({ exitCode: 2, stdout: '' });
    expect(told.stderr).toContain('run 1 of a is recorded in two ways');
    expect(missing.stderr).toContain('nothing.json does not exist');
    expect(nowhere.stderr).toContain('--out');
    expect(noFolder).toMatchObject({ exitCode: 2, stdout: '' });
    expect(noFolder.stderr).toContain('none/all.json cannot be written');
    expect(isFolder.stderr).toContain('tasks is a folder');
    expect(await readdir(suite.folder)).toEqual(before);

    const forced = await merge(suite, '1.json', '2.json', '--out', 'all.json', '--force');
    expect(forced.exitCode).toBe(0);
    expect(forced.stderr).toContain('warning the eval is');
  });

  it('overwrites none of what it reads', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await check(suite, '1.json', '-r', 'a');
    await symlink('1.jsonl', suite.path('link'));
    const before = await suite.read('1.jsonl');
    for (const out of ['1.jsonl', './1.jsonl', 'link']) {
      const { exitCode, stderr } = await merge(suite, '1.json', '1.jsonl', '--out', out);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('1.jsonl would be overwritten');
    }
    expect(await suite.read('1.jsonl')).toBe(before);
  });

  it('says so if there is no room for it, and leaves nothing behind', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    await check(suite, '1.json');
    const before = await readdir(suite.folder);
    const words = ['result', 'merge', '1.json', '--out', 'all.json'];

    // Files of one block at most.
    const limited = ['-c', 'ulimit -f 1; exec "$@"', 'sh', testNode, proctorProgram, ...words];
    const { status, stdout, stderr } = spawnSync('sh', limited, {
      cwd: suite.folder,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('all.json cannot be written: the file is larger than');
    expect(await readdir(suite.folder)).toEqual(before);
  });
});
