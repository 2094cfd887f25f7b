import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { getStartTime } from '../../src/base/processes/process-identity.js';
import { answerJson, echo, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { fixtures } from '../support/cli.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, command, script, scripted, tellingServer } from '../support/suite-parts.js';
import { story } from '../support/task-run-story.js';

const twoSessions = path.join(fixtures, 'agents/two-sessions.mjs');

describe.concurrent('a server', () => {
  it('is a process of the task run, of the evaluation or of a session, by its scope', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { a: {}, b: {} },
      agent: command(`node ${twoSessions} {{ .McpServerFileArgs }}`, {
        argTemplateMcpServer: '{{ .URL }}',
      }),
      files: Object.fromEntries(
        ['task', 'run', 'session'].map((scope) => [
          `${scope}.yaml`,
          JSON.stringify({ mcpServers: { telling: tellingServer([], { scope }) } }),
        ]),
      ),
    });
    const pids = async (scope: string) => {
      const { exitCode, stderr, taskRuns } = await suite.check([
        '--mcp-config-file',
        `${scope}.yaml`,
      ]);
      expect(exitCode, stderr).toBe(0);
      const told = taskRuns.flatMap(({ output }) => output.trim().split('\n').map(Number));
      expect(told).toHaveLength(4);
      for (const pid of told) expect(getStartTime(pid)).toBeUndefined();
      return told;
    };
    const [a1, a2, b1, b2] = await pids('task');
    expect([a2, b2]).toEqual([a1, b1]);
    expect(b1).not.toBe(a1);
    expect(new Set(await pids('run')).size).toBe(1);
    expect(new Set(await pids('session')).size).toBe(4);
  });

  it('of a task run knows the working directory', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(callTelling('workdir'), { say: '{result}' }),
    });
    const { taskRuns, events } = await suite.check();
    const started = events.find((event) => event.type === 'task-run-started');
    expect(started).toMatchObject({ workdir: taskRuns[0]?.output });
  });

  it('that is not ready is told before anything runs, with the end of its log', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { setup: [script('touch ran')] } } },
      servers: {
        fine: tellingServer(),
        missing: { command: './no-such-server', enableAllTools: true },
        exits: tellingServer(['exits']),
        hangs: tellingServer(['silent'], { startupTimeout: '1s' }),
        refuses: { url: 'http://127.0.0.1:1/mcp', enableAllTools: true },
      },
    });
    const { exitCode, stdout, stderr, events } = await suite.check();
    expect({ exitCode, stdout, events }).toEqual({ exitCode: 2, stdout: '', events: [] });
    expect(stderr).toMatch(
      /\[server-not-ready\] {2}the server "missing" could not be started: .* not found/,
    );
    expect(stderr).toMatch(/\[server-not-ready\] {2}the server "exits" exited with code 3/);
    expect(stderr).toContain('cannot open the database: no such file');
    expect(stderr).toMatch(/\[server-not-ready\] {2}the server "hangs" /);
    expect(stderr).toContain('waiting for the database');
    expect(stderr).toMatch(
      /\[server-not-ready\] {2}the server "refuses" cannot be reached: connection refused/,
    );
    expect(stderr).toContain('4 errors');
    expect(stderr).not.toContain('"fine"');
    const names = await readdir(suite.folder, { recursive: true });
    expect(names.filter((name) => /out|ran|lock/.test(name))).toEqual([]);
    expect(await suite.leftovers()).toEqual([]);
  });

  it('that is being asked when Ctrl-C is pressed is stopped, and nothing is written', async ({
    makeSuite,
  }) => {
    // Its parent is Proctor.
    const interrupt = 'echo $$ > server.pid; kill -INT $PPID; sleep 1000';
    const suite = await makeSuite({
      tasks: { one: {} },
      servers: { telling: { command: 'bash', args: ['-c', interrupt], enableAllTools: true } },
    });
    const { exitCode, stdout, results, events } = await suite.check();
    expect({ exitCode, stdout, results, events }).toEqual({
      exitCode: 130,
      stdout: '',
      results: undefined,
      events: [],
    });
    expect(getStartTime(Number(await suite.read('server.pid')))).toBeUndefined();
    expect(await suite.leftovers()).toEqual([]);
  });

  it('that ends in the middle of a call makes the task run an error', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(callTelling('exit'), { say: 'done' }),
      assertions: { maxToolCalls: 5 },
    });
    const { exitCode, taskRuns, events, stdout } = await suite.check();
    expect(exitCode).toBe(1);
    const warning = events.find((event) => event.type === 'warning');
    expect(warning).toMatchObject({
      code: 'server-exited',
      details: expect.stringContaining('out of memory'),
    });
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: { category: 'server-exited', evidence: warning?.seq },
        verified: true,
        calls: [{ name: 'exit', isError: true }],
      },
    ]);
    expect(taskRuns[0]?.failure?.message).toContain('telling');
    expect(stdout).toContain('out of memory');
  });

  it('of the evaluation that ends is started again for the next task run', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { a: {}, b: {}, c: {} },
      servers: { telling: tellingServer([], { scope: 'run' }) },
      agent: {
        scripted: [
          { when: 'Do b', do: [callTelling('exit')] },
          { do: [callTelling('pid'), { say: '{result}' }] },
        ],
      },
    });
    const { taskRuns } = await suite.check();
    const [a, b, c] = taskRuns;
    expect(a?.outcome).toBe('passed');
    expect(b).toMatchObject({ outcome: 'error', failure: { category: 'server-exited' } });
    expect(c?.outcome).toBe('passed');
    expect(c?.output).not.toBe(a?.output);
  });

  it('that ends in cleanup changes no verdict', async ({ makeSuite }) => {
    const end = 'kill -9 "$PID"; while kill -0 "$PID" 2>/dev/null; do :; done';
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            cleanup: [{ script: { inline: end, env: { PID: '{agent.output}' } } }, script('true')],
          },
        },
      },
      agent: scripted(callTelling('pid'), { say: '{result}' }),
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(taskRuns).toMatchObject([{ outcome: 'passed', failure: null }]);
    expect(exitCode).toBe(0);
  });

  it('does not get calls of tools that are not allowed, and they count as tried', async ({
    makeSuite,
  }) => {
    const telling = tellingServer([], { enableAllTools: false, alwaysAllow: ['echo'] });
    const suite = await makeSuite({
      tasks: {
        tried: {
          spec: {
            assertions: {
              toolsNotUsed: [{ server: 'telling', tool: 'pid' }],
              maxToolCalls: 1,
              noDuplicateCalls: true,
            },
          },
        },
        happened: {
          spec: {
            assertions: {
              toolsUsed: [{ server: 'telling' }],
              requireAny: [{ server: 'telling' }],
              minToolCalls: 1,
              callOrder: [{ type: 'tool', server: 'telling', toolPattern: '^(pid|echo)$' }],
            },
          },
        },
      },
      servers: { telling },
      agent: scripted(callTelling('pid'), callTelling('pid'), { say: 'done' }),
    });
    const { exitCode, taskRuns, events, stderr } = await suite.check();
    expect(exitCode, stderr).toBe(1);
    for (const { outcome, calls } of taskRuns) {
      expect(outcome).toBe('failed');
      expect(calls).toMatchObject([
        { name: 'pid', blocked: true, isError: true },
        { name: 'pid', blocked: true, isError: true },
      ]);
    }
    expect(story(events, 'tried').filter((words) => / hold/.test(words))).toEqual([
      'toolsNotUsed does not hold',
      'maxToolCalls does not hold',
      'noDuplicateCalls does not hold',
    ]);
    expect(story(events, 'happened').filter((words) => / hold/.test(words))).toEqual([
      'toolsUsed does not hold',
      'requireAny does not hold',
      'minToolCalls does not hold',
      'callOrder does not hold',
    ]);
  });
});

describe('a server over HTTP', () => {
  const listTools = 'POST tools/list';
  const offer = ({ id, response }: Parameters<typeof echo>[0]) => {
    const tools = [{ name: 'pid', inputSchema: { type: 'object' } }];
    answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
  };
  const parts = (url: string) => ({
    tasks: { one: {} },
    servers: { telling: { url, enableAllTools: true } },
    agent: scripted(callTelling('pid'), { say: 'done' }),
  });

  it('that refuses access makes the task run an error', async ({ makeSuite }) => {
    const server = await ScriptedHttpServer.listen({
      [listTools]: offer,
      'POST tools/call': ({ response }) => response.writeHead(401).end(),
      others: echo,
    });
    const suite = await makeSuite(parts(server.url));
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: { category: 'server-unauthorized', message: expect.stringContaining('HTTP 401') },
      },
    ]);
  });

  it('that goes away makes the task run an error', async ({ makeSuite }) => {
    const server = await ScriptedHttpServer.listen({
      [listTools]: offer,
      'POST tools/call': () => server.close(),
      others: echo,
    });
    const suite = await makeSuite(parts(server.url));
    const { exitCode, taskRuns } = await suite.check(['-n', '2']);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      { outcome: 'error', failure: { category: 'server-failed' } },
      {
        outcome: 'error',
        failure: { category: 'server-failed', message: expect.stringContaining('refused') },
      },
    ]);
  });

  it('that refuses access from the start is told before anything runs', async ({ makeSuite }) => {
    const refuse = ({ response }: Parameters<typeof echo>[0]) => response.writeHead(403).end();
    const server = await ScriptedHttpServer.listen({ 'POST initialize': refuse, others: refuse });
    const suite = await makeSuite(parts(server.url));
    const { exitCode, stderr } = await suite.check();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /\[server-not-ready\] {2}the server "telling" refused access \(HTTP 403\)/,
    );
  });
});
