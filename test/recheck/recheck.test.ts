import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawJson } from '../../src/base/json-text.js';
import { writeResults } from '../../src/results/write/write-results.js';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../testing/journals.js';
import { examples, fixtures, proctor } from '../support/cli.js';

const suite = path.join(fixtures, 'recheck');
const evalFile = path.join(suite, 'eval.yaml');
const foreign = path.join(suite, 'mcpchecker.json');

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recheck-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function recheck(results: string, ...args: string[]) {
  return proctor(['recheck', results, '--eval', evalFile, ...args]);
}

async function recheckedData(results: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await recheck(results, ...args, '-o', 'json');
  expect(stderr).toBe('');
  return { exitCode, ...JSON.parse(stdout) };
}

/** Both files of a check in which `feed` did everything right and `stroke` did not. */
async function ownRecord() {
  const builder = new JournalBuilder({ taskRuns: 2 });
  builder.add(started());
  for (const event of agentFinished()) builder.add(event);
  builder.add(call({ call: 2, args: new RawJson('{"key":"[redacted:PETS_KEY]"}') }));
  builder.add(call({ kind: 'resource', name: 'pets://all' }));
  builder.add(assertion({ source: { file: 'eval.yaml', line: 3 } }));
  builder.add(assertion({ name: 'maxToolErrors', reason: 'none' }));
  builder.add(ended());
  builder.add(started({ taskRun: 'b', task: 'stroke' }));
  for (const event of agentFinished('b')) builder.add(event);
  builder.add(call({ taskRun: 'b', name: 'stroke' }));
  builder.add(call({ taskRun: 'b', name: 'stroke', call: 2 }));
  builder.add(assertion({ taskRun: 'b', name: 'noDuplicateCalls' }));
  builder.add(ended({ taskRun: 'b', task: 'stroke' }));
  const journal = path.join(folder, 'out.jsonl');
  const results = path.join(folder, 'out.json');
  // As a killed run leaves it.
  await writeFile(journal, `${builder.text}{"seq":99,"at":"2026`);
  await writeResults(journal, results);
  return { journal, results };
}

describe('proctor recheck', () => {
  it.each(['results', 'journal'] as const)('judges our own %s anew', async (kind) => {
    const record = (await ownRecord())[kind];
    const { exitCode, taskRuns, changed, ...rest } = await recheckedData(record);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        task: 'feed',
        run: 1,
        assertions: [
          { name: 'toolsUsed', passed: true, calls: [2], at: { file: 'eval.yaml', line: 11 } },
          { name: 'callOrder', passed: true, at: { file: 'eval.yaml' } },
          { name: 'noDuplicateCalls', passed: true },
        ],
      },
      {
        task: 'stroke',
        assertions: [
          { name: 'toolsUsed', passed: false },
          { name: 'callOrder', passed: false },
          { name: 'noDuplicateCalls', passed: false, calls: [1, 2] },
        ],
      },
    ]);
    const what = changed.map((each: Record<string, unknown>) => [
      each.task,
      each.name,
      each.change,
    ]);
    expect(what).toEqual([
      ['feed', 'callOrder', 'new'],
      ['feed', 'noDuplicateCalls', 'new'],
      ['feed', 'maxToolErrors', 'removed'],
      ['stroke', 'toolsUsed', 'new'],
      ['stroke', 'callOrder', 'new'],
      ['stroke', 'noDuplicateCalls', 'now-fails'],
    ]);
    expect(rest).toMatchObject({
      notInEval: [],
      notRecorded: ['clean'],
      nothingToCheck: [],
      totals: { taskRuns: 2, unfinished: 0, assertions: 6, held: 3 },
      errors: 0,
    });
  });

  it('ends with 0 when every assertion holds', async () => {
    const { results } = await ownRecord();
    const { exitCode, taskRuns } = await recheckedData(results, '-r', '^feed$');
    expect({ exitCode, taskRuns: taskRuns.length }).toEqual({ exitCode: 0, taskRuns: 1 });
    expect(await recheck(results, '-l', 'about=dogs')).toMatchObject({ exitCode: 1 });
  });

  it('tells people what changed and why', async () => {
    const { results } = await ownRecord();
    const { exitCode, stdout, stderr } = await recheck(results);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/^stroke {2}run 1$/m);
    expect(stdout).toMatch(/^ {2}now fails {4}noDuplicateCalls {2}eval\.yaml:\d+$/m);
    expect(stdout).toMatch(/pets\.stroke.*2 times/);
    expect(stdout).toMatch(/^ {2}removed {6}maxToolErrors {2}it held$/m);
    expect(stdout).toContain(
      '3 of 6 assertions in 2 task runs hold; 1 now fails, 4 new, 1 removed',
    );
    expect(stdout).toContain('in the eval, but not recorded: clean');
  });

  it('judges what mcpchecker recorded', async () => {
    const { exitCode, taskRuns, changed, ...rest } = await recheckedData(foreign);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      { task: 'feed', run: 1, assertions: [{ passed: true }, { passed: true }, { passed: true }] },
      {
        task: 'feed',
        run: 2,
        assertions: [],
        unfinished: 'the agent did not run: setup failed: no cat',
      },
    ]);
    expect(changed).toMatchObject([
      {
        task: 'feed',
        run: 1,
        name: 'callOrder',
        change: 'now-holds',
        before: { passed: false, reason: 'Expected call order not satisfied. Got to 1/2' },
        after: { passed: true },
      },
      { name: 'noDuplicateCalls', change: 'new' },
      { name: 'minToolCalls', change: 'removed' },
    ]);
    expect(rest).toMatchObject({ notInEval: ['walk'], notRecorded: ['clean', 'stroke'] });
    const { stdout } = await recheck(foreign);
    expect(stdout).toContain('1 task run not checked');
    expect(stdout).toContain('recorded, but not in the eval: walk');
  });

  it('agrees with the check that it was recorded by, and notices an edited assertion', async () => {
    const quickstart = path.join(examples, 'quickstart');
    const original = path.join(quickstart, 'eval.yaml');
    const results = path.join(folder, 'quickstart.json');
    const select = ['-r', 'move-the-honey'];
    const checked = await proctor(['check', original, ...select, '--out', results]);
    expect(checked.exitCode).toBe(0);
    for (const record of [results, results.replace('.json', '.jsonl')]) {
      const again = await proctor(['recheck', record, '--eval', original, ...select]);
      expect(again).toMatchObject({ exitCode: 0, stderr: '' });
      expect(again.stdout).toContain('hold; nothing changed');
    }
    const edited = path.join(folder, 'eval.yaml');
    const text = (await readFile(original, 'utf8'))
      .replace(/(glob: |path: |mcpConfigFile: )/g, `$1${quickstart}/`)
      .replaceAll('^(remove|clear)_', '^(remove|clear|find)_');
    await writeFile(edited, text);
    const { exitCode, stdout } = await proctor(['recheck', results, '--eval', edited, ...select]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/now fails {4}toolsNotUsed/);
    expect(stdout).toContain('hold; 1 now fails\n');
  });

  it('takes a bare list of mcpchecker', async () => {
    const { results } = JSON.parse(await readFile(foreign, 'utf8'));
    const list = path.join(folder, 'list.json');
    await writeFile(list, JSON.stringify(results.slice(0, 1)));
    expect(await recheckedData(list)).toMatchObject({ exitCode: 0, totals: { held: 3 } });
    const strict = await recheck(list, '--strict');
    expect(strict.exitCode).toBe(2);
    expect(strict.stderr).toContain('--strict');
  });

  it('keeps secrets of records of others to itself', async () => {
    const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const text = (await readFile(foreign, 'utf8')).replaceAll('no cat', token);
    const leaky = path.join(folder, 'leaky.json');
    await writeFile(leaky, text);
    for (const format of ['text', 'json']) {
      const { stdout } = await recheck(leaky, '-o', format);
      expect(stdout).toContain('setup failed: [redacted:token]');
      expect(stdout).not.toContain(token);
    }
  });

  it.each([
    ['a file that is not there', 'missing.json', '', 'does not exist'],
    ['a text', 'text.json', 'hello', 'holds no results'],
    ['another JSON', 'other.json', '{"a":1}', 'lists no task runs'],
    ['results of other tasks', 'others.json', '[{"taskName":"walk"}]', 'recorded are: walk'],
    [
      'a journal of a proxy',
      'proxy.jsonl',
      'proxy',
      'a recording does not say which task its sessions were about',
    ],
    ['a damaged file', 'damaged.json', '{"schema":"mcp-proctor/results/v1",', 'is damaged'],
  ])('ends with 2 for %s', async (_, name, content, reason) => {
    const file = path.join(folder, name);
    const proxy = '{"seq":1,"at":"","type":"run-started","schema":"mcp-proctor/journal/v1"}\n';
    if (content !== '') await writeFile(file, content === 'proxy' ? proxy : content);
    const { exitCode, stdout, stderr } = await recheck(file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });

  it('ends with 2 when there is nothing that could hold', async () => {
    const bare = path.join(folder, 'bare');
    const eval2 = path.join(folder, 'bare.yaml');
    const text = await readFile(evalFile, 'utf8');
    const [before] = text.split('      assertions:');
    const moved = `${before}`.replaceAll('tasks/*', `${suite}/tasks/clean`);
    await writeFile(eval2, moved.replace('mcp.yaml', `${suite}/mcp.yaml`));
    await writeFile(bare, '[{"taskName":"clean"}]');
    const { exitCode, stderr } = await proctor(['recheck', bare, '--eval', eval2]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('covers a task that occurs');
  });

  it('shows problems of the eval as validate does', async () => {
    const broken = path.join(folder, 'broken.yaml');
    await writeFile(broken, 'kind: Eval\n');
    const text = await proctor(['recheck', foreign, '--eval', broken]);
    expect(text).toMatchObject({ exitCode: 2, stdout: '' });
    expect(text.stderr).toContain('[missing-field]');
    const json = await proctor(['recheck', foreign, '--eval', broken, '-o', 'json']);
    expect(json.exitCode).toBe(2);
    expect(JSON.parse(json.stdout).errors).toBeGreaterThan(0);
    const none = await proctor(['recheck', foreign]);
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('--eval');
  });
});
