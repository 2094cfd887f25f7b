import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { it } from '../support/report-folder.js';

describe.concurrent('proctor report', () => {
  it('writes a report beside nothing else, and says where it is', async ({ folder }) => {
    await folder.results('out.json');
    const { exitCode, stdout, stderr } = await folder.report('out.json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const file = folder.file('out.html');
    expect(stdout).toMatch(/^[^\n]+ \(30 task runs, \d+ kB\)\n[^\n]+\n$/);
    expect(stdout).toContain(`${file} (`);
    expect(stdout).toContain(`\n${pathToFileURL(file).href}\n`);
    expect((await readdir(folder.path)).sort()).toEqual(['out.html', 'out.json']);
  });

  it('holds every task run as the results have it', async ({ folder }) => {
    await folder.results('out.json', { tasks: 40, runs: 3, calls: 10 });
    await folder.written('out.json', '--title', 'Pets');
    const { index, taskRuns } = await folder.content('out.html');
    const results = JSON.parse(await readFile(folder.file('out.json'), 'utf8'));
    expect(taskRuns).toEqual(results.taskRuns);
    expect(new Set(index.taskRuns.chunk).size).toBeGreaterThan(1);
    expect(index).toMatchObject({ format: 1, title: 'Pets', diffs: [], servers: ['pets'] });
    expect(index.sets).toHaveLength(1);
    expect(index.sets[0]).toMatchObject({
      name: 'out.json',
      summary: { totals: { tasks: 40, taskRuns: 120 } },
      tools: { neverUsed: [{ server: 'pets', tool: 'sell_pet' }] },
    });
  });

  it('compares each further file with the first', async ({ folder }) => {
    await folder.results('base.json');
    await folder.results('current.json', { id: 'generated-2', passing: 30, tasks: 7 });
    await folder.written('base.json', 'current.json', '--out', 'compared.html');
    const { index } = await folder.content('compared.html');
    expect(index.sets.map(({ name }) => name)).toEqual(['base.json', 'current.json']);
    expect(index.diffs).toHaveLength(1);
    expect(index.diffs[0]).toMatchObject({
      set: 1,
      diff: { total: { tasks: 6 }, added: [{ task: 'task 6' }] },
    });
  });

  it('also compares what is not comparable, and says so', async ({ folder }) => {
    await folder.results('base.json');
    await folder.results('current.json', { id: 'generated-2' });
    const text = await readFile(folder.file('current.json'), 'utf8');
    await writeFile(folder.file('current.json'), text.replace('"model":"none"', '"model":"other"'));
    await folder.written('base.json', 'current.json');
    const { index } = await folder.content('base.html');
    expect(index.diffs[0]?.diff.caveats.join()).toContain('model');
  });

  it('says so where two files have nothing in common', async ({ folder }) => {
    await folder.results('pets.json', { tasks: 1 });
    await folder.results('people.json', {
      id: 'generated-2',
      change: (taskRun) => ({
        ...taskRun,
        task: `person ${taskRun.task}`,
        path: 'people.yaml',
        prompt: `Greet the person of ${taskRun.task}.`,
      }),
    });
    const { exitCode, stderr } = await folder.report('pets.json', 'people.json');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'people.json is not compared: base and current have no task in common\n',
    });
    const { index } = await folder.content('pets.html');
    expect(index.sets).toHaveLength(2);
    expect(index.diffs).toEqual([]);
  });

  it('takes several files as one sample with --pool', async ({ folder }) => {
    await folder.results('monday.json');
    await folder.results('tuesday.json', { id: 'generated-2' });
    await folder.written('monday.json', 'tuesday.json', '--pool');
    const { index } = await folder.content('monday.html');
    expect(index.sets.map(({ name }) => name)).toEqual(['monday.json + tuesday.json']);
    expect(index.sets[0]?.summary.totals.taskRuns).toBe(60);
    expect(index.diffs).toEqual([]);
  });

  it('tells files of the same name apart', async ({ folder }) => {
    await mkdir(folder.file('main'));
    await mkdir(folder.file('branch'));
    await folder.results('main/out.json');
    await folder.results('branch/out.json', { id: 'generated-2' });
    await folder.written('main/out.json', 'branch/out.json');
    const { index } = await folder.content('out.html');
    expect(index.sets.map(({ name }) => name)).toEqual(['main/out.json', 'branch/out.json']);
  });

  it('escapes the title', async ({ folder }) => {
    await folder.results('out.json');
    const title = '</title><script>alert(1)</script>$& <!--proctor:data-->';
    await folder.written('out.json', '--title', title);
    const { html, index } = await folder.content('out.html');
    expect(index.title).toBe(title);
    expect(html).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp; &lt;!--proctor:data--&gt;</title>',
    );
  });

  it.for([['out.json'], ['./out.json'], ['link.json']])(
    'does not overwrite the results with --out %s',
    async ([out = ''], { folder }) => {
      await folder.results('out.json');
      await symlink('out.json', folder.file('link.json'));
      const before = await readFile(folder.file('out.json'), 'utf8');
      const { exitCode, stderr } = await folder.report('out.json', '--out', out);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('out.json would be overwritten\n  name another file with --out');
      expect(await readFile(folder.file('out.json'), 'utf8')).toBe(before);
    },
  );

  it('says that the folder of the report does not exist', async ({ folder }) => {
    await folder.results('out.json');
    const { exitCode, stderr } = await folder.report('out.json', '--out', 'nowhere/report.html');
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `error: the folder of ${folder.file('nowhere/report.html')} does not exist\n`,
    );
  });

  it('says that a folder is no report', async ({ folder }) => {
    await folder.results('out.json');
    await mkdir(folder.file('report'));
    const { exitCode, stderr } = await folder.report('out.json', '--out', 'report');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: ${folder.file('report')} is a folder\n`,
    });
    expect((await readdir(folder.path)).sort()).toEqual(['out.json', 'report']);
  });

  it.for([
    ['missing.json', undefined, 'missing.json does not exist'],
    ['words.json', 'no results', 'words.json'],
    ['other.json', '{"some":"thing"}', 'other.json'],
  ] as const)('does not make a report of %s', async ([name, text, message], { folder }) => {
    if (text !== undefined) await writeFile(folder.file(name), text);
    const { exitCode, stderr } = await folder.report(name);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(await readdir(folder.path)).toEqual(text === undefined ? [] : [name]);
  });

  it('leaves an older report alone if the results turn out to be damaged', async ({ folder }) => {
    await folder.results('out.json');
    const text = await readFile(folder.file('out.json'), 'utf8');
    await writeFile(folder.file('out.json'), text.slice(0, text.indexOf('"taskRuns"')));
    await writeFile(folder.file('out.html'), 'the older one');
    const { exitCode, stderr } = await folder.report('out.json');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('out.json');
    expect(await readFile(folder.file('out.html'), 'utf8')).toBe('the older one');
    expect((await readdir(folder.path)).sort()).toEqual(['out.html', 'out.json']);
  });
});
