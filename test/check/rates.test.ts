import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { describe, expect, inject } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { Script } from '../support/model-server/turn.js';
import { startCheck } from '../support/running-check.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

/** A model, and the variables that lead to it. It is gone when the test is. */
async function startModel(turns: Script, atEnd: (close: () => Promise<void>) => void) {
  const model = await ModelServer.start(turns);
  atEnd(() => model.close());
  return { model, env: { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${model.url}/v1` } };
}

const agent = { builtin: { type: 'llm-agent', model: 'openai:m-1' } };
const judge = (model: string) => ({ ref: { type: 'builtin.llm-agent', model } });
const judged = { parallel: true, spec: { verify: [{ llmJudge: { contains: 'Done.' } }] } };

const isJudge = ({ tools }: { tools: readonly { name: string }[] }) =>
  tools.some(({ name }) => name.endsWith('submit_judgement'));

/** Says that all is done, and as a judge that it is right. */
const obliging: Script = (request) =>
  isJudge(request)
    ? { toolCalls: [{ tool: 'submit_judgement', args: { passed: true, reason: 'yes' } }] }
    : undefined;

/** When the first agent could ask. */
function firstStart(events: readonly JournalEvent[]): number {
  const started = events.find((event) => event.type === 'phase-started' && event.phase === 'agent');
  return Date.parse(started?.at ?? '');
}

/** Times are told in whole milliseconds. */
const rounding = 2;

function tasks(names: string, task: object = { parallel: true }) {
  return Object.fromEntries(names.split(' ').map((name) => [name, task]));
}

describe.concurrent('a rate', () => {
  it('of requests holds over task runs that go on at the same time', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const turns: Script = ({ round }) =>
      round === 0 ? { toolCalls: [{ tool: 'pid' }] } : { text: 'Done.' };
    const { model, env } = await startModel(turns, onTestFinished);
    const suite = await makeSuite({
      tasks: tasks('a b c d'),
      agent,
      config: { limits: { rates: [{ provider: 'openai', requestsPerMinute: 60 }] } },
    });
    const { exitCode, events, stderr } = await suite.check(['--parallel', '4'], env);
    expect(exitCode, stderr).toBe(0);
    const start = firstStart(events);
    expect(model.requests).toHaveLength(8);
    for (const [index, { arrivedAt }] of model.requests.entries()) {
      expect(arrivedAt - start).toBeGreaterThanOrEqual(index * 1_000 - rounding);
    }
  });

  it('is one for agent and judge that ask the same model', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const { model, env } = await startModel(obliging, onTestFinished);
    const suite = await makeSuite({
      tasks: tasks('a b', judged),
      agent,
      config: { llmJudge: judge('openai:m-1') },
    });
    const { events, taskRuns } = await suite.check(['--requests-per-minute', 'openai=60'], env);
    expect(taskRuns).toMatchObject([{ outcome: 'passed' }, { outcome: 'passed' }]);
    expect(model.requests.filter(isJudge)).toHaveLength(2);
    const last = model.requests.at(-1)?.arrivedAt ?? 0;
    expect(last - firstStart(events)).toBeGreaterThanOrEqual(3_000 - rounding);
  });

  it('is another for another model', async ({ makeSuite, onTestFinished }) => {
    const { model, env } = await startModel(obliging, onTestFinished);
    const suite = await makeSuite({
      tasks: tasks('a', judged),
      agent,
      config: { llmJudge: judge('openai:m-2'), limits: { rates: [{ requestsPerMinute: 1 }] } },
    });
    const { taskRuns, events } = await suite.check([], env);
    expect(taskRuns).toMatchObject([{ outcome: 'passed' }]);
    expect(model.requests.map((request) => request.model)).toEqual(['m-1', 'm-2']);
    expect(events.filter(({ type }) => type === 'wait-started')).toEqual([]);
  });

  it('of tokens goes by what the model says that it took', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const usage = { input: 1_500, output: 500 };
    const { model, env } = await startModel(() => ({ text: 'Done.', usage }), onTestFinished);
    const suite = await makeSuite({ tasks: tasks('a b c d e', {}), agent });
    const { exitCode, events } = await suite.check(
      ['--tokens-per-minute', '1000000', '--tokens-per-minute', 'openai:m-1=120000'],
      env,
    );
    expect(exitCode).toBe(0);
    const last = model.requests[4]?.arrivedAt ?? 0;
    // Four requests took 8000, and 2000 may be ahead of their time.
    expect(last - firstStart(events)).toBeGreaterThanOrEqual(3_000 - rounding);
  });

  it('that nobody uses is told, and one of an unknown provider refused', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const { model, env } = await startModel(obliging, onTestFinished);
    const suite = await makeSuite({ tasks: tasks('a'), agent });
    const unused = ['--requests-per-minute', 'openai:m-9=5'];
    const told = await suite.check([...unused, '--strict'], env);
    expect(told.exitCode).toBe(2);
    expect(told.stderr).toContain(
      '--requests-per-minute openai:m-9=5: the rate limits nothing: neither agent nor judge uses openai:m-9',
    );
    const refused = await suite.check(['--tokens-per-minute', 'opnai=5'], env);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('unknown provider "opnai"');
    expect(model.requests).toEqual([]);
  });

  it('of the eval may be for an agent that another stands in for', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const { env } = await startModel(obliging, onTestFinished);
    const limits = { rates: [{ provider: 'openai', model: 'm-1', requestsPerMinute: 600 }] };
    const suite = await makeSuite({ tasks: tasks('a'), agent, config: { limits } });
    const { exitCode, stderr } = await suite.check(['--strict', '--model', 'openai:m-2'], env);
    expect(exitCode, stderr).toBe(0);
  });

  it('may change before a run is resumed', async ({ makeSuite, onTestFinished }) => {
    const { env } = await startModel(obliging, onTestFinished);
    const suite = await makeSuite({ tasks: tasks('a b', {}), agent });
    const first = await suite.check(['--requests-per-minute', '600'], env);
    expect(first.exitCode, first.stderr).toBe(0);
    await changeEval(suite, { limits: { concurrentAgents: 1, rates: [{ tokensPerMinute: 9 }] } });
    const second = await suite.check(['--resume', '--concurrent-agents', '2'], env);
    expect(second.exitCode, second.stderr).toBe(0);
    await changeEval(suite, { defaultTaskLimits: { timeout: '5m' } });
    const third = await suite.check(['--resume'], env);
    expect(third.exitCode).toBe(2);
    expect(third.stderr).toContain('changed since that run: eval.yaml');
  });
});

async function changeEval(suite: ScratchSuite, more: object): Promise<void> {
  const data = JSON.parse(await suite.read('eval.yaml'));
  const config = { ...data.config, ...more };
  await suite.write('eval.yaml', JSON.stringify({ ...data, config }));
}

describe.concurrent('an API that has had enough', () => {
  it('is left alone by everybody, and no task runs out of time for that', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const patience = 11_000;
    const headers = { 'retry-after': String(patience / 1_000) };
    let hasHadEnough = false;
    const { model, env } = await startModel((request) => {
      if (hasHadEnough) return obliging(request);
      hasHadEnough = true;
      return { status: 429, headers };
    }, onTestFinished);
    const suite = await makeSuite({
      tasks: {
        first: { parallel: true, spec: { limits: { timeout: '10s' } } },
        second: { parallel: true, spec: { setup: [script('read -r _ <"$GATE"')] } },
      },
      agent,
    });
    const gate = suite.path('gate');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', gate]);
    const own = { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder, GATE: gate };
    const running = startCheck(['check', 'eval.yaml', '--out', 'out.json'], {
      cwd: suite.folder,
      env: { ...own, ...env },
    });
    await running.says('openai:m-1 is asked too much: it gets no requests for 11 s');
    await writeFile(gate, '\n');
    const { exitCode, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(0);
    const [limited, ...others] = model.requests;
    expect(others).toHaveLength(2);
    for (const { arrivedAt } of others) {
      expect(arrivedAt - (limited?.arrivedAt ?? 0)).toBeGreaterThanOrEqual(patience - rounding);
    }
    const { warnings, taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(warnings).toMatchObject([{ code: 'rate-limited' }]);
    expect(taskRuns).toMatchObject([{ waitedMs: expect.any(Number) }, {}]);
    expect(taskRuns[0].waitedMs).toBeGreaterThanOrEqual(10_000);
  });
});
