import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { callTelling, scripted, tellingServer } from '../support/suite-parts.js';

const { enableAllTools: _, ...plainServer } = tellingServer();
const agent = scripted(
  callTelling('echo', { text: 'hello' }),
  callTelling('pid'),
  callTelling('pid'),
  { say: 'done' },
);
const parts = (settings: object) => ({
  tasks: { one: {}, two: {} },
  agent,
  servers: { telling: { ...plainServer, ...settings } },
});

describe.concurrent('tools that the MCP config allows', () => {
  it('are all tools of a server that says nothing about them', async ({ makeSuite }) => {
    const suite = await makeSuite({ ...parts({}), tasks: { one: {} } });
    const { exitCode, stdout, stderr, taskRuns } = await suite.check();
    expect(exitCode, stderr).toBe(0);
    expect(stderr).not.toContain('server-allows-nothing');
    expect(taskRuns[0]?.calls).toMatchObject([
      { name: 'echo', blocked: false, isError: false },
      { name: 'pid', blocked: false },
      { name: 'pid', blocked: false },
    ]);
    expect(stdout).not.toContain('blocked');
  });

  it.for([
    [{ alwaysAllow: ['echo'] }, 4, 'alwaysAllow of telling in mcp.yaml', 'telling.pid (4)'],
    [
      { enableAllTools: false },
      6,
      'enableAllTools: false of telling in mcp.yaml',
      'telling.pid (4), telling.echo (2)',
    ],
  ] as const)(
    'are restricted by %j, and every view says which calls were blocked and why',
    async ([settings, count, setting, tools], { makeSuite }) => {
      const suite = await makeSuite(parts(settings));
      const sentence = `${count} tool calls were blocked by ${setting}: ${tools}`;
      const summaryFile = suite.path('job-summary.md');
      const { exitCode, stdout } = await suite.check(['--reporter', 'github'], {
        GITHUB_STEP_SUMMARY: summaryFile,
      });
      // Nothing requires the tools, so the tasks pass; a green check must say what it rests on.
      expect(exitCode).toBe(0);
      expect(stdout).toContain(sentence);
      expect(await suite.read('job-summary.md')).toContain(sentence);
      expect((await suite.proctor(['summary', 'out.json'])).stdout).toContain(sentence);
      expect((await suite.proctor(['verify', 'out.json', '--task', '1'])).stdout).toContain(
        sentence,
      );
      const markdown = await suite.proctor(['summary', 'out.json', '-o', 'markdown']);
      expect(markdown.stdout).toContain(sentence);
      const json = JSON.parse((await suite.proctor(['summary', 'out.json', '-o', 'json'])).stdout);
      expect(json.totals.blocked).toContainEqual({
        server: 'telling',
        tool: 'pid',
        calls: 4,
        blockedBy: setting,
      });
      const view = await suite.proctor(['view', 'out.json', '--task', 'one']);
      expect(view.stdout).toContain(`blocked by ${setting}`);
    },
  );

  it('are restricted by MCP_ENABLE_ALL_TOOLS=false, which blocked calls name', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      ...parts({}),
      tasks: { one: {} },
      config: { mcpConfigFile: undefined },
    });
    const { command, args } = plainServer;
    const { stdout } = await suite.check([], {
      MCP_COMMAND: command,
      MCP_ARGS: JSON.stringify(args),
      MCP_SERVER_NAME: 'telling',
      MCP_ENABLE_ALL_TOOLS: 'false',
    });
    expect(stdout).toContain('3 tool calls were blocked by MCP_ENABLE_ALL_TOOLS=false');
  });
});
