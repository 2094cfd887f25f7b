import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { type CheckResult, it } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

const schemaFile = path.resolve(import.meta.dirname, '../../schemas/results.schema.json');
const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
);

const ran = ({ taskRuns }: CheckResult) => taskRuns.map(({ task, run }) => `${task} ${run}`);
const failing = { spec: { verify: [script('false')] } };

describe.concurrent('proctor check', () => {
  it('runs what is selected by name and label, as often as it is told', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        'pod-create': { labels: { area: 'pods', size: 's' } },
        'pod-delete': { labels: { area: 'pods', size: 'l' }, runs: 2 },
        'node-list': { labels: { area: 'nodes' } },
      },
    });
    expect(ran(await suite.check(['-r', '^pod-']))).toEqual([
      'pod-create 1',
      'pod-delete 1',
      'pod-delete 2',
    ]);
    expect(ran(await suite.check(['-l', 'area=pods,size=s,area=nodes']))).toEqual(['pod-create 1']);
    const twice = await suite.check(['-n', '2', '-r', 'node']);
    expect(ran(twice)).toEqual(['node-list 1', 'node-list 2']);
    expect(twice.results?.options).toEqual({ run: 'node', runs: 2 });

    const nothing = await suite.proctor(['check', 'eval.yaml', '-r', 'service']);
    expect(nothing.exitCode).toBe(2);
    expect(nothing.stderr).toContain('nothing-selected');
  });

  it('runs one part of the plan, and only a part may be empty', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: {}, b: {}, c: { parallel: true, runs: 3 }, d: { parallel: true } },
    });
    const first = await suite.check(['--shard', '1/2']);
    const second = await suite.check(['--shard', '2/2']);
    expect(ran(first).slice(0, 2)).toEqual(['a 1', 'b 1']);
    expect([...ran(first), ...ran(second)].sort()).toEqual([
      'a 1',
      'b 1',
      'c 1',
      'c 2',
      'c 3',
      'd 1',
    ]);
    const empty = await suite.check(['--shard', '9/9']);
    expect(empty.exitCode).toBe(0);
    expect(empty.results).toMatchObject({ totals: { planned: 0 }, taskRuns: [] });
    expect(validate(empty.results), JSON.stringify(validate.errors)).toBe(true);
  });

  it('uses the agent that it is told to', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      files: { 'other.yaml': JSON.stringify({ kind: 'Agent', ...scripted({ say: 'the other' }) }) },
    });
    const other = await suite.check(['--agent', 'other.yaml']);
    expect(other.exitCode).toBe(0);
    expect(other.results).toMatchObject({
      agent: { name: 'other', type: 'scripted' },
      options: { agent: 'other.yaml' },
      taskRuns: [{ output: 'the other' }],
    });
    const unknown = await suite.proctor(['check', 'eval.yaml', '--agent', 'claude-cod']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain('claude-cod is neither a builtin agent nor a file');
    expect(unknown.stderr).toContain('claude-code');
    const model = await suite.proctor(['check', 'eval.yaml', '--model', 'gpt-5']);
    expect(model).toMatchObject({ exitCode: 2, stdout: '' });
    expect(model.stderr).toContain('--model: the agent agent takes no model');
    const missing = await suite.proctor(['check', 'eval.yaml', '--agent', 'claude-code'], {
      PATH: path.dirname(process.execPath),
    });
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(missing.stderr).toContain('agent-not-ready');
    expect(missing.stderr).toMatch(/npm install/);
    const key = await suite.proctor([
      'check',
      'eval.yaml',
      '--agent',
      'llm-agent',
      '--model',
      'openai:gpt-5',
    ]);
    expect(key).toMatchObject({ exitCode: 2, stdout: '' });
    expect(key.stderr).toContain('OPENAI_API_KEY');
    expect(await readdir(suite.folder)).not.toContain('proctor-suite-out.json');
  });

  it('runs what did not pass again with --rerun-failed, and nothing else', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        a: {},
        b: { runs: 2, spec: { verify: [script('[ -e fixed ]')] } },
        c: { spec: { setup: [script('[ -e fixed ]')] } },
      },
    });
    const first = await suite.check();
    expect(first.exitCode).toBe(1);
    await suite.write('first.json', await suite.read('out.json'));
    await suite.write('tasks/fixed', '');
    const again = await suite.check(['--rerun-failed', 'first.json']);
    expect(again.exitCode).toBe(0);
    expect(ran(again)).toEqual(['b 1', 'b 2', 'c 1']);
    expect(again.results).toMatchObject({
      options: { 'rerun-failed': 'first.json' },
      totals: { planned: 3, outcomes: { passed: 3 } },
    });
    const refused = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await suite.proctor(['check', 'eval.yaml', ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      return stderr;
    };
    expect(await refused('--rerun-failed', 'out.json')).toContain(
      'every task run in out.json passed',
    );
    expect(await refused('--rerun-failed', 'first.json', '-r', 'a')).toContain('is in this plan');
    expect(await refused('--rerun-failed', 'none.json')).toContain('none.json');
    expect(await refused('--rerun-failed', 'eval.yaml')).toContain('eval.yaml');
  });

  it('names tasks that check nothing with --control, and has no agent then', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        idle: { spec: { assertions: { maxToolCalls: 5 } } },
        assertions: { spec: { assertions: { minToolCalls: 1 } } },
        verified: { runs: 3, ...failing },
        judged: { spec: { setup: [script('false')] } },
      },
      agent: { commands: { runPrompt: 'no-such-program {{ .Prompt }}' } },
    });
    const some = await suite.check(['--control', '-r', 'idle|assertions|verified']);
    expect(some.exitCode).toBe(1);
    expect(some.results).toMatchObject({ agent: { type: 'none' }, options: { control: true } });
    expect(ran(some)).toEqual(['assertions 1', 'idle 1', 'verified 1']);
    expect(some.taskRuns.map(({ outcome }) => outcome)).toEqual(['failed', 'passed', 'failed']);
    expect(some.stdout).toContain('1 task passes without an agent: it checks nothing\n  idle\n');
    const good = await suite.check(['--control', '-r', 'assertions|verified']);
    expect(good.exitCode).toBe(0);
    expect(good.stdout).toContain('Every task fails without an agent, as it should (2 tasks)');
    const unclear = await suite.check(['--control', '-r', 'judged']);
    expect(unclear.exitCode).toBe(1);
    expect(unclear.stdout).toContain('1 task could not be judged');
  });

  it('writes where --out says, else to a file named after the eval', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { one: {} } });
    const named = await suite.proctor(['check', 'eval.yaml', '--out', 'tmp/my results.json']);
    expect(named.exitCode).toBe(0);
    expect(named.stdout).toContain('Results: tmp/my results.json\nJournal: tmp/my results.jsonl\n');
    expect(await suite.leftovers()).toEqual(['my results.json', 'my results.jsonl']);
    const unnamed = await suite.proctor(['check', 'eval.yaml']);
    expect(unnamed.exitCode).toBe(0);
    const written = (await readdir(suite.folder)).filter((name) => name.startsWith('proctor'));
    expect(written).toEqual(['proctor-suite-out.json', 'proctor-suite-out.jsonl']);
    const temporary = await suite.proctor(['check', 'eval.yaml'], { TMPDIR: '/no/such/folder' });
    expect(temporary).toMatchObject({ exitCode: 2, stdout: '' });
    expect(temporary.stderr).toContain('cannot make a working directory in /no/such/folder');
    const nowhere = await suite.proctor(['check', 'eval.yaml', '--out', 'no/folder/out.json']);
    expect(nowhere).toMatchObject({ exitCode: 2, stdout: '' });
    expect(nowhere.stderr).toContain('its folder does not exist');
  });

  it('prints nothing but the results with -o json', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        a: { difficulty: 'easy', labels: { area: 'x' }, runs: 2 },
        b: { ...failing, difficulty: 'hard' },
        c: {
          spec: { setup: [script('printf "\\377\\033[0m"; exit 1')], cleanup: [script('false')] },
        },
      },
      agent: scripted(
        callTelling('echo', { text: 'hello' }),
        { read: { server: 'telling', uri: 'telling://motto' } },
        { say: '{result}' },
      ),
      assertions: { resourcesRead: [{ server: 'telling', uri: 'telling://motto' }] },
    });
    const { exitCode, stdout, results, stderr } = await suite.check(['-o', 'json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual(results);
    expect(validate(results), JSON.stringify(validate.errors)).toBe(true);
    expect(results?.totals.outcomes).toMatchObject({ passed: 2, failed: 1, error: 1 });
    expect(stderr).toContain('[4/4]');
  });

  it('says what is wrong as data with -o json, and nothing ran', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { verify: [{ http: { url: 'x' } }] } } },
    });
    const { exitCode, stdout } = await suite.check(['-o', 'json']);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [{ code: 'invalid-url' }],
    });
    expect(await readdir(suite.folder)).not.toContain('out.jsonl');
  });
});
