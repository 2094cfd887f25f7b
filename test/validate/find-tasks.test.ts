import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEvalFile } from '../../src/config/files/eval-file.js';
import { Problems } from '../../src/config/problems/problem.js';
import { findEvals } from '../../src/plan/find-evals.js';
import { TaskFinder } from '../../src/plan/find-tasks.js';
import { proctor } from '../support/cli.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'proctor-find-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const task = (name: string, labels = '{}') =>
  `kind: Task\nmetadata: {name: ${name}, labels: ${labels}}\nsteps:\n  prompt: {inline: Do it.}\n  verify: {inline: test -e x}\n`;

function writeEval(name: string, ...sets: string[]) {
  write(
    name,
    `kind: Eval
metadata: {name: finding}
config:
  agent: {type: builtin.claude-code}
  mcpConfigFile: mcp.yaml
  taskSets:
${sets.map((set) => `    - ${set}`).join('\n')}
`,
  );
  write(
    path.join(path.dirname(name), 'mcp.yaml'),
    'mcpServers: {k: {command: x, enableAllTools: true}}\n',
  );
}

async function list(...args: string[]) {
  const { exitCode, stdout } = await proctor(['list', ...args, '-o', 'json'], { cwd: folder });
  const data = JSON.parse(stdout);
  return { exitCode, data, names: data.tasks?.map((each: { task: string }) => each.task) };
}

describe('finding tasks', () => {
  it('** stands for any depth, also none, and paths are sorted', async () => {
    write('tasks/b.yaml', task('depth-0'));
    write('tasks/a/x.yaml', task('depth-1'));
    write('tasks/a/b/c/d/e/x.yaml', task('depth-5'));
    write('tasks/ignored.txt', 'not YAML at all: [');
    writeEval('eval.yaml', 'glob: tasks/**/*.yaml');
    expect((await list('eval.yaml')).names).toEqual(['depth-5', 'depth-1', 'depth-0']);
  });

  it('understands ?, [...] and {a,b}', async () => {
    for (const name of ['a1', 'a2', 'b1', 'c1']) write(`tasks/${name}.yaml`, task(name));
    writeEval('eval.yaml', 'glob: "tasks/{a,c}[!2].yaml"', 'glob: tasks/b?.yaml');
    expect((await list('eval.yaml')).names).toEqual(['a1', 'c1', 'b1']);
  });

  it('passes over files of other kinds, and of several documents without a Task', async () => {
    write('tasks/task.yaml', task('real'));
    write('tasks/agent.yaml', 'kind: Agent\n');
    write('tasks/none.yaml', 'a: 1\n');
    write('tasks/empty.yaml', '');
    write('tasks/manifests.yaml', 'kind: Pod\n---\nkind: Service\n');
    writeEval('eval.yaml', 'glob: tasks/*.yaml');
    expect((await list('eval.yaml')).names).toEqual(['real']);
  });

  it('a file that a glob matches and that does not parse is an error', async () => {
    write('tasks/task.yaml', task('real'));
    write('tasks/broken.yaml', 'kind: "Task\n');
    writeEval('eval.yaml', 'glob: tasks/*.yaml');
    const { exitCode, data } = await list('eval.yaml');
    expect(exitCode).toBe(2);
    expect(data.problems).toMatchObject([{ code: 'yaml-syntax', file: 'tasks/broken.yaml' }]);
  });

  it("a symlinked eval resolves paths from the symlink's folder", async () => {
    write('elsewhere/tasks/t.yaml', task('there'));
    write('here/tasks/t.yaml', task('here'));
    writeEval('elsewhere/eval.yaml', 'path: tasks/t.yaml');
    write('here/mcp.yaml', 'mcpServers: {k: {command: x, enableAllTools: true}}\n');
    symlinkSync(path.join(folder, 'elsewhere/eval.yaml'), path.join(folder, 'here/eval.yaml'));
    expect((await list('here/eval.yaml')).names).toEqual(['here']);
    expect((await list('elsewhere/eval.yaml')).names).toEqual(['there']);
  });

  it('a task of two sets appears once, with the assertions of both', async () => {
    write('tasks/a.yaml', task('a'));
    write('tasks/b.yaml', task('b'));
    symlinkSync('a.yaml', path.join(folder, 'tasks/same-as-a.yaml'));
    writeEval(
      'eval.yaml',
      '{path: tasks/same-as-a.yaml, runs: 2, assertions: {maxToolCalls: 3}}',
      '{glob: "tasks/*.yaml", runs: 3, assertions: {minToolCalls: 1}}',
    );
    const { data, names } = await list('eval.yaml');
    expect(names).toEqual(['a', 'b']);
    const [first, second] = data.tasks;
    const lines = (each: typeof first) =>
      each.assertions.map((item: { name: string; at: { line: number } }) => [
        item.name,
        item.at.line,
      ]);
    expect(lines(first)).toEqual([
      ['maxToolCalls', 7],
      ['minToolCalls', 8],
    ]);
    expect(lines(second)).toEqual([['minToolCalls', 8]]);
    expect([first.runs, second.runs]).toEqual([3, 3]);
  });

  it('labelSelector needs all labels, and leaves other sets alone', async () => {
    write('tasks/a.yaml', task('a', '{area: pods, speed: fast}'));
    write('tasks/b.yaml', task('b', '{area: pods}'));
    writeEval(
      'eval.yaml',
      '{glob: "tasks/*.yaml", labelSelector: {area: pods, speed: fast}, assertions: {maxToolCalls: 3}}',
      '{path: tasks/b.yaml}',
    );
    const { data } = await list('eval.yaml');
    expect(
      data.tasks.map((each: { task: string; assertions: unknown[] }) => [
        each.task,
        each.assertions.length,
      ]),
    ).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('a path to another kind is a mistake, also where a glob has passed over the file', async () => {
    write('tasks/real.yaml', task('real'));
    write('tasks/other.yaml', 'kind: Tsak\n');
    writeEval('eval.yaml', 'glob: tasks/*.yaml', 'path: tasks/other.yaml');
    const { exitCode, data } = await list('eval.yaml');
    expect(exitCode).toBe(2);
    expect(data.problems).toMatchObject([{ code: 'wrong-kind', file: 'tasks/other.yaml' }]);
  });

  it('a link to nothing that a glob matches is reported', async () => {
    write('tasks/real.yaml', task('real'));
    symlinkSync('nowhere.yaml', path.join(folder, 'tasks/gone.yaml'));
    writeEval('eval.yaml', 'glob: tasks/*.yaml');
    const { data } = await list('eval.yaml');
    expect(data.problems).toMatchObject([{ code: 'file-not-found', file: 'tasks/gone.yaml' }]);
  });

  it('survives folders that link to themselves', async () => {
    write('tasks/a.yaml', task('a'));
    symlinkSync('..', path.join(folder, 'tasks/loop'));
    writeEval('eval.yaml', 'glob: tasks/**/a.yaml');
    expect((await list('eval.yaml')).names).toEqual(['a']);
  });
});

describe('a search that goes too far', () => {
  it('is an error of the glob', () => {
    write('tasks/a/b/c/x.yaml', task('deep'));
    writeEval('eval.yaml', 'glob: tasks/**/*.yaml');
    const find = (maxFolders: number) => {
      const problems = new Problems();
      const file = readEvalFile(path.join(folder, 'eval.yaml'), problems);
      const [set] = file?.data.config.taskSets ?? [];
      if (!file || !set) throw new Error('the eval was not read');
      const namedBy = { file: file.source, path: ['config', 'taskSets', 0] };
      const found = new TaskFinder(problems, maxFolders).find(set, namedBy);
      return [found.length, ...problems.report().problems.map(({ code }) => code)];
    };
    expect(find(10)).toEqual([1]);
    expect(find(2)).toEqual([0, 'invalid-glob']);
  });

  it('is an error of the directory', () => {
    write('a/b/c/eval.yaml', 'kind: Eval\n');
    const find = (maxFolders: number) => {
      const problems = new Problems();
      const found = findEvals([folder], problems, maxFolders);
      return [found.length, ...problems.report().problems.map(({ code }) => code)];
    };
    expect(find(10)).toEqual([1]);
    expect(find(2)).toEqual([0, 'no-eval-found']);
  });
});

describe('validate with directories', () => {
  it('means every eval below', async () => {
    write('one/t.yaml', task('a'));
    writeEval('one/eval.yaml', 'path: t.yaml');
    write('two/deep/t.yaml', task('b'));
    writeEval('two/deep/other.yml', 'path: t.yaml');
    write('three/eval.json', '{\n  "kind": "Eval",\n  "config": {}\n}\n');
    write('node_modules/x/eval.yaml', 'kind: Eval\n');
    write('.hidden/eval.yaml', 'kind: Eval\n');
    const { exitCode, stdout } = await proctor(['validate', '.', '-o', 'json'], { cwd: folder });
    const { evals, problems } = JSON.parse(stdout);
    expect(exitCode).toBe(2);
    expect(evals.map((each: { file: string }) => each.file)).toContain('one/eval.yaml');
    expect(evals.map((each: { file: string }) => each.file)).toContain('two/deep/other.yml');
    expect(new Set(problems.map((each: { file: string }) => each.file))).toEqual(
      new Set(['three/eval.json']),
    );
  });

  it.each([
    ['minified.json', '{"metadata":{},"kind":"Eval"}'],
    ['flow.yaml', '{metadata: {}, kind: Eval}'],
    ['indented.yaml', '  kind: Eval\n  metadata: {}\n'],
    ['upper.YAML', 'kind: Eval\n'],
    ['broken.yaml', 'kind: Eval\nmetadata: "x\n'],
    ['my-eval.yaml', Buffer.from('kind: Eval\n\xff', 'latin1')],
  ])('finds %s', async (name, content) => {
    writeFileSync(path.join(folder, name), content);
    const { exitCode, stdout } = await proctor(['validate', '.', '-o', 'json'], { cwd: folder });
    expect(exitCode).toBe(2);
    const files = JSON.parse(stdout).problems.map((each: { file: string }) => each.file);
    expect(new Set(files)).toEqual(new Set([name]));
  });

  it('passes over what is no eval', async () => {
    write('one.yaml', 'kind: Eval-x\n');
    write('two.yaml', 'text: "kind: Eval"\n');
    write('three.yaml', '- [broken\n');
    const { stdout } = await proctor(['validate', '.', '-o', 'json'], { cwd: folder });
    expect(JSON.parse(stdout).problems).toMatchObject([{ code: 'no-eval-found' }]);
  });

  it('checks an eval on every way that leads to it: paths start at the link', async () => {
    write('a/t.yaml', task('a'));
    writeEval('a/eval.yaml', 'path: t.yaml');
    mkdirSync(path.join(folder, 'b'));
    symlinkSync('../a/eval.yaml', path.join(folder, 'b/eval.yaml'));
    const { stdout } = await proctor(['validate', 'a/eval.yaml', 'b/eval.yaml', '-o', 'json'], {
      cwd: folder,
    });
    const files = JSON.parse(stdout).problems.map((each: { file: string }) => each.file);
    expect(new Set(files)).toEqual(new Set(['b/eval.yaml']));
  });

  it('reports each problem once for a task that two evals share', async () => {
    write('t.yaml', task('a').replace('metadata:', 'metadta:'));
    writeEval('one.yaml', 'path: t.yaml');
    writeEval('two.yaml', 'path: t.yaml');
    const { stdout } = await proctor(
      ['validate', 'one.yaml', 'two.yaml', 'one.yaml', '-o', 'json'],
      {
        cwd: folder,
      },
    );
    const { problems } = JSON.parse(stdout);
    expect(problems.map((each: { code: string }) => each.code)).toEqual([
      'missing-field',
      'unknown-key',
    ]);
  });
});
