import { describe, expect, test } from 'vitest';
import { readResults } from '../support/check-results.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, scripted, tellingServer } from '../support/suite-parts.js';

const agentFile = (name: string, agent: object) =>
  JSON.stringify({ kind: 'Agent', metadata: { name }, ...agent });

/** Two agents, one of which does not do what the task set asks for. */
const files = {
  'agents/good.yaml': agentFile('good', scripted(callTelling('pid'), { say: 'good' })),
  'agents/idle.yaml': agentFile('idle', scripted({ say: 'idle' })),
};
const both = ['--agent', 'agents/good.yaml', '--agent', 'agents/idle.yaml'];
const assertions = { minToolCalls: 1 };
const tasks = { a: {}, b: { parallel: true, runs: 2 } };

describe('a matrix', () => {
  it('does every task run with every agent, and judges each by itself', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, assertions, files });

    const { exitCode, results, taskRuns } = await suite.check(both);

    expect(exitCode).toBe(1);
    const verdicts = taskRuns.map(
      ({ task, run, variant, outcome }) => `${task} ${run} ${variant} ${outcome}`,
    );
    expect(verdicts.sort()).toEqual([
      'a 1 good passed',
      'a 1 idle failed',
      'b 1 good passed',
      'b 1 idle failed',
      'b 2 good passed',
      'b 2 idle failed',
    ]);
    expect(taskRuns.map(({ output }) => output)).toEqual(taskRuns.map(({ variant }) => variant));
    expect(results).toMatchObject({
      agent: null,
      variants: [
        { name: 'good', agent: { name: 'good', type: 'scripted' } },
        { name: 'idle', agent: { name: 'idle' } },
      ],
      totals: { planned: 6, notRun: 0, tasks: 2 },
      options: { agent: ['agents/good.yaml', 'agents/idle.yaml'] },
    });
  });

  it('gives each variant the servers of its own MCP config', async ({ makeSuite }) => {
    const servers = { telling: tellingServer([], { scope: 'run' }) };
    const suite = await makeSuite({
      tasks,
      servers,
      config: {
        matrix: { agents: ['agents/good.yaml'], mcpConfigFiles: ['mcp.yaml', 'mcp-next.yaml'] },
      },
      files: {
        'agents/good.yaml': agentFile('good', scripted(callTelling('pid'), { say: '{result}' })),
        'mcp-next.yaml': JSON.stringify({ mcpServers: servers }),
      },
    });

    const { exitCode, stderr, results, taskRuns } = await suite.check();

    expect(exitCode, stderr).toBe(0);
    const processes = (name: string) =>
      new Set(taskRuns.filter(({ variant }) => variant === name).map(({ output }) => output));
    expect(new Set([...processes('mcp'), ...processes('mcp-next')]).size).toBe(2);
    expect([processes('mcp').size, processes('mcp-next').size]).toEqual([1, 1]);
    expect(results).toMatchObject({
      agent: { name: 'good' },
      variants: [
        { name: 'mcp', mcpConfigFile: 'mcp.yaml' },
        { name: 'mcp-next', mcpConfigFile: 'mcp-next.yaml' },
      ],
      mcpServers: [
        { name: 'telling', mcpConfigFile: 'mcp.yaml' },
        { name: 'telling', mcpConfigFile: 'mcp-next.yaml' },
      ],
    });
  });

  it('runs again what did not pass, with the variant that failed', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, assertions, files });
    await suite.check(both);

    await suite.check([...both, '--rerun-failed', 'out.json', '--out', 'again.json']);

    const { taskRuns } = readResults(suite.path('again.json'));
    expect(taskRuns.map(({ variant }) => variant)).toEqual(['idle', 'idle', 'idle']);
  });

  it('runs each variant of a task as often as its own results ask for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: { parallel: true } }, assertions, files });
    const auto = ['--runs', 'auto', '--runs-width', '0.6', '--runs-max', '6'];

    const { results, taskRuns, events, stderr } = await suite.check([...both, ...auto, '-p', '1']);

    expect(stderr).toMatch(/a \[good\] (ran often enough|has had the maximum number of runs)/);
    const decided = events.filter((event) => event.type === 'runs-decided' && event.settled);
    expect(decided.map((event) => 'variant' in event && event.variant).sort()).toEqual([
      'good',
      'idle',
    ]);
    expect(results?.totals).toMatchObject({ planned: taskRuns.length, notRun: 0 });
    for (const name of ['good', 'idle']) {
      const own = taskRuns.filter(({ variant }) => variant === name);
      expect(own.map(({ run, runs }) => [run, runs])).toEqual(
        own.map((_, i) => [i + 1, own.length]),
      );
      expect(own.length).toBeGreaterThanOrEqual(3);
    }
  });

  it('is not merged with what is none, nor with a shard of another one', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: { parallel: true } }, assertions, files });
    const [good = [], idle = []] = [both.slice(0, 2), both.slice(2)];
    await suite.check(['--out', 'plain.json', ...good]);
    await suite.check(['--out', '1.json', ...good, ...idle, '--shard', '1/2']);
    await suite.check(['--out', '2.json', ...idle, ...good, '--shard', '2/2']);

    const mixed = await suite.proctor([
      'result',
      'merge',
      '1.json',
      'plain.json',
      '--out',
      'm.json',
      '--force',
    ]);
    expect(mixed.exitCode).toBe(2);
    expect(mixed.stderr).toContain('1.json comes from a matrix, and plain.json does not');

    const merge = ['result', 'merge', '1.json', '2.json', '--out', 'all.json'];
    const overlapping = await suite.proctor(merge);
    expect(overlapping.exitCode).toBe(2);
    expect(overlapping.stderr).toContain('run 1 of a [good] is in shard 1/2 and in shard 2/2');

    expect((await suite.proctor([...merge, '--force'])).exitCode).toBe(0);
    const verified = await suite.proctor(['verify', 'all.json', '--task', '0.1']);
    expect(verified.exitCode).toBe(1);
    expect(verified.stdout).toContain('idle');
  });

  it('has no variants without an agent', async ({ makeSuite }) => {
    const matrix = { agents: ['agents/good.yaml', 'agents/idle.yaml'] };
    const suite = await makeSuite({ tasks, assertions, files, config: { matrix } });

    const { exitCode, taskRuns } = await suite.check(['--control']);

    expect(exitCode).toBe(0);
    expect(taskRuns.map(({ variant }) => variant)).toEqual([null, null]);
  });

  it('is refused where no agent takes a model', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, assertions, files });

    const { exitCode, stderr, results } = await suite.check([...both, '--model', 'm']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('none of the agents takes a model');
    expect(results).toBeUndefined();
  });

  it('tells of an agent that is not ready where it is named', async ({ makeSuite }) => {
    const matrix = { agents: ['agents/good.yaml', 'claude-code'] };
    const suite = await makeSuite({ tasks, assertions, files, config: { matrix } });

    const { exitCode, stderr, results } = await suite.check([], { PATH: '/nowhere' });

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/eval\.yaml:\d+:\d+ {2}error {2}\[agent-not-ready\]/);
    expect(stderr).toContain('"claude-code"');
    expect(results).toBeUndefined();
  });

  test('goes on with the variants that are missing', async () => {
    const suite = await suiteOf({ tasks: ['a', 'b'] });
    const other = { kind: 'Agent', metadata: { name: 'other' }, ...scripted({ say: 'done' }) };
    await suite.write('other.yaml', JSON.stringify(other));
    const agents = ['--agent', 'agent.yaml', '--agent', 'other.yaml'];
    suite.close('verify', 'b');
    const killed = suite.start(agents);
    await suite.reached('verify', 'b');
    killed.kill('SIGKILL');
    await killed.ended;
    suite.open('verify', 'b');
    expect((await suite.check('--resume')).exitCode).toBe(2);
    const forced = await suite.check('--resume', '--force');
    expect(forced.exitCode).toBe(2);
    expect(forced.stderr).toContain('that run has a matrix, and this one has none');

    const { exitCode, stderr } = await suite.check('--resume', ...agents);

    expect(exitCode, stderr).toBe(0);
    expect(suite.traces('setup', 'a')).toHaveLength(2);
    const { taskRuns } = readResults(suite.results);
    expect(taskRuns.map(({ task, variant, attempt }) => [task, variant, attempt])).toEqual([
      ['a', 'agent', 1],
      ['a', 'other', 1],
      ['b', 'agent', 2],
      ['b', 'other', 1],
    ]);
    expectNothingLeft(suite);
  });
});
