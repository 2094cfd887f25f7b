import { describe, expect } from 'vitest';
import type { Problem } from '../../src/config/problems/problem.js';
import { serverProgram } from '../support/mcp-servers.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, command, scripted } from '../support/suite-parts.js';

const typed = {
  command: process.execPath,
  args: [serverProgram('typed-stdio-server.mjs')],
  enableAllTools: true,
};

function problemsOf(stdout: string): Problem[] {
  return (JSON.parse(stdout) as { problems: Problem[] }).problems;
}

describe.concurrent('what servers offer', () => {
  it('stops a check before the agent is started, with the problems of validate --connect', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { verify: [{ 'typed.closed': { args: { other: 1 } } }] } } },
      agent: command('touch "$MARK"; cat'),
      servers: { typed },
      assertions: {
        toolsUsed: [
          { server: 'typed', tool: 'opne' },
          { server: 'typed', tool: 'closed', args: { tex: 'hi' } },
          // Its schema allows other names, but no agent will think of this one.
          { server: 'typed', tool: 'open', args: { txet: 'hi' } },
        ],
        toolsNotUsed: [{ server: 'typed', tool: 'delete_all' }],
      },
    });
    const checked = await suite.check(['-o', 'json'], { MARK: suite.path('started') });
    const validated = await suite.proctor(['validate', '--connect', 'eval.yaml', '-o', 'json']);

    expect(checked.exitCode).toBe(2);
    expect(checked.results).toBeUndefined();
    await expect(suite.read('started')).rejects.toThrow('ENOENT');
    expect(problemsOf(checked.stdout)).toEqual(problemsOf(validated.stdout));
    expect(problemsOf(checked.stdout).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'not-offered: typed offers no tool opne',
      'impossible-argument: the tool closed of typed has no argument tex',
      'impossible-argument: the tool open of typed has no argument txet',
      'forbidden-not-offered: typed offers no tool delete_all: nothing is forbidden',
      'impossible-argument: the tool closed of typed has no argument other',
    ]);
  });

  it('is named with the MCP config, where a matrix has several', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      servers: { typed },
      assertions: { toolsUsed: [{ server: 'typed', tool: 'open' }] },
      files: {
        'next.yaml': JSON.stringify({
          mcpServers: {
            typed: { ...typed, args: [serverProgram('telling-stdio-server.mjs')] },
          },
        }),
      },
    });
    const { exitCode, stderr } = await suite.check([
      ...['--mcp-config-file', 'mcp.yaml', '--mcp-config-file', 'next.yaml'],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('typed (next.yaml) offers no tool open');
    expect(stderr).not.toContain('typed (mcp.yaml)');
  });

  it('is shown by a check as a warning where it is no reason to stop', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      assertions: { toolsNotUsed: [{ server: 'telling', tool: 'delete_al' }] },
    });
    const lenient = await suite.check();
    expect(lenient.exitCode, lenient.stderr).toBe(0);
    expect(lenient.stderr).toContain('telling offers no tool delete_al: nothing is forbidden');
    const strict = await suite.check(['--strict']);
    expect(strict.exitCode).toBe(2);
    expect(strict.stderr).toContain('forbidden-not-offered');
  });

  it('does not stop a step with an argument that the schema does not forbid', async ({
    makeSuite,
  }) => {
    const verify = [
      { 'typed.open': { args: { txet: 'hi' } } },
      { 'typed.closed': { args: { txet: 'hi' }, expect: { isError: true } } },
    ];
    const suite = await makeSuite({ tasks: { one: { spec: { verify } } }, servers: { typed } });
    const validated = await suite.proctor(['validate', '--connect', 'eval.yaml', '-o', 'json']);
    expect(validated.exitCode).toBe(0);
    expect(problemsOf(validated.stdout)).toMatchObject([
      { severity: 'warning', code: 'unknown-argument', hint: 'did you mean text?' },
    ]);
  });

  it('does not stop a tool that is named by a pattern, as it may come later', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      assertions: { toolsUsed: [{ server: 'telling', tool: 'later' }] },
    });
    const named = await suite.check();
    expect(named.exitCode).toBe(2);
    expect(named.stderr).toContain('if it is offered only later, write toolPattern: ^later$');
    await suite.write(
      'eval.yaml',
      (await suite.read('eval.yaml')).replace('"tool": "later"', '"toolPattern": "^later$"'),
    );
    const byPattern = await suite.check();
    expect(byPattern.exitCode).toBe(1);
    expect(byPattern.taskRuns).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe.concurrent('a text in arguments', () => {
  it('is taken as it is when a backslash stands before its slash', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(callTelling('echo', { text: '/data/' })),
      assertions: {
        toolsUsed: [{ server: 'telling', tool: 'echo', args: { text: '\\/data/' } }],
        toolsNotUsed: [{ server: 'telling', tool: 'echo', args: { text: '\\/dat/' } }],
      },
    });
    const { exitCode, stderr } = await suite.check();
    expect(exitCode, stderr).toBe(0);
    expect(stderr).not.toContain('warning');
  });
});
