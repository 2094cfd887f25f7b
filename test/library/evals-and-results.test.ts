import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import {
  compareVariants,
  convertResults,
  diffResults,
  findEvals,
  InvalidEvalError,
  loadEval,
  openResults,
  planEval,
  type Reporter,
  type RunOptions,
  recheckEval,
  runEval,
  runEvals,
  startEval,
  summarizeResults,
  summarizeTools,
  UsageError,
  verifyResults,
} from '../../src/index.js';
import { fixtures } from '../support/cli.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, script, scripted, tellingServer } from '../support/suite-parts.js';

const parts = {
  agent: scripted(callTelling('echo', { text: 'hello' }), { say: 'done' }),
  servers: { telling: tellingServer() },
  tasks: {
    greet: { spec: { prompt: { inline: 'Say hello.' }, verify: [script('true')] } },
    leave: { spec: { prompt: { inline: 'Say goodbye.' }, verify: [script('false')] } },
  },
};

/** Options of a run that is aborted at the first event of this type. */
function stopAt(type: string) {
  const stop = new AbortController();
  const reporter: Reporter = {
    onEvent: (event) => {
      if (event.type === type) stop.abort();
    },
  };
  return { signal: stop.signal, reporters: [reporter] };
}

/** What an async iterable has. */
async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('loadEval and planEval', () => {
  it('have a suite for each variant of a matrix', async ({ makeSuite }) => {
    const config = { matrix: { agents: ['agent.yaml', 'other.yaml'] } };
    const files = { 'other.yaml': JSON.stringify({ kind: 'Agent', ...otherAgent }) };
    const suite = await makeSuite({ ...parts, config, files });
    const loaded = await loadEval(suite.path('eval.yaml'));
    expect(loaded.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(loaded.suites.map(({ variant }) => variant?.name)).toEqual(['agent', 'other']);
    const { plan } = await planEval(suite.path('eval.yaml'), { run: 'greet', runs: 2 });
    expect(plan?.taskRuns.map(({ run, variant }) => [run, variant?.name])).toEqual([
      [1, 'agent'],
      [1, 'other'],
      [2, 'agent'],
      [2, 'other'],
    ]);
  });

  it('read the environment that they are given', async ({ makeSuite }) => {
    const servers = { telling: tellingServer([], { env: { NAME: '${LIBRARY_NAME}' } }) };
    const suite = await makeSuite({ ...parts, servers });
    const codesWith = async (environment: Record<string, string>) =>
      (await loadEval(suite.path('eval.yaml'), { environment })).problems.map(({ code }) => code);
    expect(await codesWith({})).toContain('unset-variable');
    expect(await codesWith({ LIBRARY_NAME: 'x' })).not.toContain('unset-variable');
  });

  it('return what is wrong with files, and throw for options', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const missing = await loadEval(suite.path('none.yaml'));
    expect(missing).toMatchObject({ suites: [], errors: 1 });
    const nothing = await planEval(suite.path('eval.yaml'), { run: 'nothing' });
    expect(nothing).toMatchObject({ plan: undefined, errors: 1 });
    await expect(planEval(suite.path('eval.yaml'), { runs: 0 })).rejects.toThrow(UsageError);
    await expect(planEval(suite.path('eval.yaml'), { run: '(' })).rejects.toThrow('--run');
    const found = await findEvals(suite.folder);
    expect(found.paths).toEqual([suite.path('eval.yaml')]);
  });

  it('take a folder for the only eval in it, as runEval does', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const loaded = await loadEval(suite.folder);
    expect(loaded.errors).toBe(0);
    expect(loaded.suites).toHaveLength(1);
    expect((await planEval(suite.folder)).plan?.taskRuns).toHaveLength(2);
    const none = await loadEval(suite.path('tasks'));
    expect(none).toMatchObject({ suites: [], problems: [{ code: 'no-eval-found' }] });
    await suite.write('second.yaml', await suite.read('eval.yaml'));
    await expect(loadEval(suite.folder)).rejects.toThrow('has several evals');
    await expect(planEval(suite.folder)).rejects.toThrow('has several evals');
  });

  it('plan only what rerunFailed selects', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const rerunFailed = suite.path('out.json');
    await runEval(suite.path('eval.yaml'), { out: rerunFailed });
    const { plan } = await planEval(suite.path('eval.yaml'), { rerunFailed });
    expect(plan?.taskRuns.map(({ task }) => task.name)).toEqual(['leave']);
    expect(plan?.tasks.map(({ name }) => name)).toEqual(['leave']);
    const others = planEval(suite.path('eval.yaml'), { run: 'greet', rerunFailed });
    await expect(others).rejects.toThrow('--rerun-failed: none of the task runs');
  });
});

const otherAgent = { metadata: { name: 'other' }, ...scripted({ say: 'done' }) };

describe('runEval', () => {
  it('returns the verdict, the totals and the task runs', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const run = await runEval(suite.path('eval.yaml'));
    expect(run).toMatchObject({ status: 'failed', passed: false, end: 'finished' });
    expect(run.totals?.outcomes).toMatchObject({ passed: 1, failed: 1 });
    const taskRuns = await collect(run.taskRuns());
    expect(taskRuns.map(({ task, outcome }) => [task, outcome])).toEqual([
      ['greet', 'passed'],
      ['leave', 'failed'],
    ]);
    expect(run.resultsPath).toBeUndefined();
    const summary = await summarizeResults(run.results ?? []);
    expect(summary.totals.rate).toMatchObject({ passed: 1, judged: 2 });
  });

  it('throws all problems of an eval that cannot run', async ({ makeSuite }) => {
    const suite = await makeSuite({
      ...parts,
      servers: { telling: { command: '/no/such/program' } },
    });
    const failure: unknown = await runEval(suite.path('eval.yaml')).catch((error) => error);
    expect(failure).toBeInstanceOf(InvalidEvalError);
    const { problems, message } = failure as InvalidEvalError;
    expect(problems.map(({ code }) => code)).toContain('server-not-ready');
    expect(message).toContain('mcp.yaml');
    const started = startEval(suite.path('eval.yaml'));
    await expect(collect(started.events)).rejects.toThrow(InvalidEvalError);
    await expect(started.result).rejects.toThrow(InvalidEvalError);
  });

  it('gives events without secrets to readers and to reporters', async ({ makeSuite }) => {
    const servers = { telling: tellingServer([], { env: { API_TOKEN: '${API_TOKEN}' } }) };
    const agent = scripted(callTelling('echo', { text: 'it is x7Kq9-secret-Zt' }), { say: 'done' });
    const suite = await makeSuite({ ...parts, agent, servers });
    const seen: unknown[] = [];
    const run = startEval(suite.path('eval.yaml'), {
      run: 'greet',
      environment: { ...process.env, API_TOKEN: 'x7Kq9-secret-Zt' },
      reporters: [{ onEvent: (event) => void seen.push(event) }],
    });
    const events = await collect(run.events);
    expect((await run.result).status).toBe('passed');
    const calls = events.filter(({ type }) => type === 'mcp-call');
    expect(JSON.stringify(calls)).toContain('it is ');
    expect(JSON.stringify([events, seen])).not.toContain('x7Kq9');
    expect(seen).toHaveLength(events.length);
  });

  it('runs several evals as one check, with one budget for bail', async ({ makeSuite }) => {
    const first = await makeSuite(parts);
    const second = await makeSuite(parts);
    const paths = [first, second].map((suite) => suite.path('eval.yaml'));
    await second.write('eval.yaml', (await second.read('eval.yaml')).replace(/suite/, 'second'));
    const runs = await runEvals(paths, { bail: true });
    expect(runs.map(({ status }) => status)).toEqual(['failed', 'not-run']);
    expect(runs[1]?.reason).toContain('--bail');
    await expect(runEvals(paths, { out: 'one.json' })).rejects.toThrow('a file of its own');
  });

  it('refuses a folder with several evals before any of them runs', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const other = (await suite.read('eval.yaml')).replace(/suite/, 'second');
    await suite.write('second.yaml', other);
    const seen: unknown[] = [];
    const reporters = [{ onEvent: (event: unknown) => void seen.push(event) }];
    await expect(runEval(suite.path('.'), { reporters })).rejects.toThrow('has several evals');
    expect(seen).toEqual([]);
  });

  it('rejects with the reason of the signal if it is aborted right after the call', async ({
    makeSuite,
  }) => {
    const file = (await makeSuite(parts)).path('eval.yaml');
    const seen: unknown[] = [];
    const reporters = [{ onEvent: (event: unknown) => void seen.push(event) }];
    for (const run of [runEval, (...all: Parameters<typeof runEval>) => startEval(...all).result]) {
      const stop = new AbortController();
      const result = run(file, { signal: stop.signal, reporters });
      stop.abort('not now');
      await expect(result).rejects.toBe('not now');
    }
    expect(seen).toEqual([]);
  });

  it('rejects if it is aborted before its first task run, and leaves earlier files as they are', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts);
    const [out, junit] = [suite.path('out.json'), suite.path('junit.xml')];
    const heard: string[] = [];
    const reporter: Reporter = { onEvent: ({ type }) => void heard.push(type) };
    await runEval(suite.path('eval.yaml'), { out, reporters: [`junit=${junit}`, reporter] });
    expect(heard).toContain('run-started');
    heard.length = 0;
    const files = ['out.json', 'out.jsonl', 'junit.xml'];
    const readAll = () => Promise.all(files.map((name) => suite.read(name)));
    const before = await readAll();
    const abortAtStart = async (options: RunOptions) => {
      const stop = new AbortController();
      const run = startEval(suite.path('eval.yaml'), { ...options, signal: stop.signal });
      const types: string[] = [];
      const read = async () => {
        for await (const { type } of run.events) {
          types.push(type);
          stop.abort('not now');
        }
      };
      await expect(read()).rejects.toBe('not now');
      await expect(run.result).rejects.toBe('not now');
      expect(types).toContain('run-started');
      expect(types).not.toContain('task-run-started');
    };
    await abortAtStart({ out, reporters: [`junit=${junit}`, reporter] });
    expect(heard).toEqual([]);
    expect(await readAll()).toEqual(before);
    // Where there was nothing, nothing is left.
    await abortAtStart({ out: suite.path('other.json') });
    expect((await readdir(suite.folder)).filter((name) => name.startsWith('other'))).toEqual([]);
  });

  it('is complete if it is aborted when its last task run has ended', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const out = suite.path('out.json');
    const options = { out, run: 'greet' };
    const last = { ...options, ...stopAt('task-run-ended') };
    const run = await runEval(suite.path('eval.yaml'), last);
    expect(run).toMatchObject({ status: 'passed', end: 'finished', totals: { notRun: 0 } });
    // What is finished may be replaced.
    expect((await runEval(suite.path('eval.yaml'), options)).status).toBe('passed');
    const notLast = { out, parallel: 1, ...stopAt('task-run-ended') };
    expect(await runEval(suite.path('eval.yaml'), notLast)).toMatchObject({
      status: 'interrupted',
      totals: { notRun: 1 },
    });
  });

  it('is not run if a budget is spent at once, and leaves earlier results as they are', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts);
    const out = suite.path('out.json');
    await runEval(suite.path('eval.yaml'), { out });
    const before = await suite.read('out.json');
    const run = await runEval(suite.path('eval.yaml'), { out, maxDuration: '1ms' });
    expect(run).toMatchObject({
      status: 'not-run',
      reason: expect.stringContaining('--max-duration was reached'),
    });
    expect(await suite.read('out.json')).toBe(before);
  });

  it('notes what became of an earlier run that did not finish', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const out = suite.path('out.json');
    const first = { out, resume: true, parallel: 1, ...stopAt('task-run-ended') };
    const interrupted = await runEval(suite.path('eval.yaml'), first);
    expect(interrupted.status).toBe('interrupted');
    expect(interrupted.notes).toEqual(['There is no journal of an earlier run: starting afresh.']);
    const [other] = await runEvals([suite.path('eval.yaml')], { out, runs: 2 });
    expect(other?.notes).toEqual([
      `The last run did not finish (1 of 2 task runs done), and what it ran has changed since: its journal is now ${suite.path('out.1.jsonl')}.`,
    ]);
    expect((await runEval(suite.path('eval.yaml'), { out })).notes).toEqual([]);
  });

  it('emits events with the times that the journal has', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const started = startEval(suite.path('eval.yaml'), { out: suite.path('out.json') });
    const live = await collect(started.events);
    const lines = (await suite.read('out.jsonl')).trimEnd().split('\n');
    const recorded = new Map(lines.map((line) => JSON.parse(line)).map(({ seq, at }) => [seq, at]));
    expect(live.length).toBeGreaterThan(10);
    expect(live.filter(({ seq, at }) => recorded.get(seq) !== at)).toEqual([]);
  });

  it('refuses options that contradict each other', async ({ makeSuite }) => {
    const file = (await makeSuite(parts)).path('eval.yaml');
    await expect(runEval(file, { resume: true })).rejects.toThrow('--resume needs --out');
    await expect(runEval(file, { control: true, runs: 2 })).rejects.toThrow('--control and --runs');
    await expect(runEval(file, { maxCost: 0 })).rejects.toThrow('--max-cost');
    await expect(runEval(file, { reporters: ['text=x.txt'] })).rejects.toThrow('--reporter text');
    await expect(runEval(file, { requestsPerMinute: { nobody: 3 } })).rejects.toThrow('nobody');
  });
});

describe('results', () => {
  it('of every kind are read: results, journals and those of mcpchecker', async ({ makeSuite }) => {
    const suite = await makeSuite(parts);
    const out = suite.path('out.json');
    const run = await runEval(suite.path('eval.yaml'), { out });
    expect(run).toMatchObject({ resultsPath: out, journalPath: suite.path('out.jsonl') });
    const kinds = [out, suite.path('out.jsonl'), path.join(fixtures, 'recheck/mcpchecker.json')];
    for (const [index, kind] of ['results', 'journal', 'mcpchecker'].entries()) {
      const results = await openResults(kinds[index] ?? '');
      expect(results.files[0]?.header.kind).toBe(kind);
      expect((await collect(results.taskRuns())).length).toBeGreaterThan(0);
    }
    // One sample: what is in both counts once.
    const both = await summarizeResults(kinds.slice(0, 2));
    expect(both.totals.taskRuns).toBe(2);
    const greet = await openResults(out, { task: 'greet' });
    expect((await collect(greet.taskRuns())).map(({ taskRun }) => taskRun.task)).toEqual(['greet']);
    await expect(openResults(out, { task: 'none' })).rejects.toThrow('no task matches');
    await expect(openResults(suite.path('no.json'))).rejects.toThrow(UsageError);
    await expect(openResults([])).rejects.toThrow(UsageError);
  });

  it('are compared, verified, converted and rechecked', async ({ makeSuite }) => {
    const suite = await makeSuite({ ...parts, assertions: { maxToolCalls: 3 } });
    const out = suite.path('out.json');
    const file = suite.path('eval.yaml');
    const { results = [] } = await runEval(file, { out });
    const diff = await diffResults(out, results);
    expect(diff.headline.tone).toBe('same');
    await expect(compareVariants(results)).rejects.toThrow(UsageError);
    expect((await verifyResults(out, { task: 0.9 })).passed).toBe(false);
    expect((await verifyResults(out, { task: 0.4 })).passed).toBe(true);
    await expect(verifyResults(out, {})).rejects.toThrow('there is no threshold');
    await expect(verifyResults(out, { task: 80 })).rejects.toThrow('--task: expected a number');
    const tools = await summarizeTools(results);
    expect(tools.taskRuns).toBe(2);
    const csv = (await collect(convertResults(out, 'csv'))).join('');
    expect(csv.trim().split('\n')).toHaveLength(3);
    expect(await recheckEval(out, file)).toMatchObject({ passed: true, notInEval: [] });
    await suite.write(
      'eval.yaml',
      (await suite.read('eval.yaml')).replace('"maxToolCalls": 3', '"maxToolCalls": 0'),
    );
    const rechecked = await recheckEval(out, file, { out: suite.path('rechecked.json') });
    expect(rechecked).toMatchObject({ passed: false, written: { changed: 1 } });
  });
});
