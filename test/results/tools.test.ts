import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolsReport } from '../../src/analysis/tools/tool-usage.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { everythingProgram } from '../support/mcp-servers.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, tellingServer } from '../support/suite-parts.js';

let suite: ScratchSuite;

const callEverything = (tool: string, args: object) => ({
  call: { server: 'everything', tool, args },
});

beforeAll(async () => {
  suite = await ScratchSuite.create({
    servers: {
      everything: {
        command: process.execPath,
        args: [everythingProgram],
        alwaysAllow: ['get-sum', 'get-annotated-message', 'echo'],
        // One process for all: starting it takes longer than everything else.
        scope: 'run',
      },
      telling: tellingServer(),
    },
    agent: {
      scripted: [
        {
          when: 'sum',
          do: [
            callEverything('get-sum', { a: 'one', b: 2 }),
            callEverything('get-sum', { a: 1, b: 2 }),
            callEverything('get-annotated-message', {
              messageType: 'success',
              includeImage: false,
            }),
            callEverything('get-tiny-image', {}),
            { say: '3' },
          ],
        },
        {
          do: [
            callTelling('pid'),
            callTelling('sing\u001b[31m|<b>'),
            { read: { server: 'telling', uri: 'telling://motto' } },
            { say: 'done' },
          ],
        },
      ],
    },
    tasks: { sum: { runs: 2 }, tell: {} },
  });
  await suite.check();
});
afterAll(() => suite.remove());

const tools = (...args: string[]) => suite.proctor(['result', 'tools', 'out.json', ...args]);

async function report(...args: string[]): Promise<ToolsReport> {
  const { stdout } = await tools('-o', 'json', ...args);
  return JSON.parse(stdout) as ToolsReport;
}

describe('as data', () => {
  it('tells of each tool how it was used', async () => {
    const { taskRuns, servers, tools } = await report();
    expect(taskRuns).toBe(3);
    expect(servers).toMatchObject([
      { server: 'everything', taskRuns: 3 },
      { server: 'telling', taskRuns: 3, offered: 5 },
    ]);
    const sum = tools.find(({ tool }) => tool === 'get-sum');
    expect(sum).toMatchObject({
      offered: true,
      allowed: true,
      calls: 4,
      taskRuns: 2,
      share: 2 / 3,
      errors: 2,
      errorRate: 0.5,
      rejected: 2,
      retryCount: 2,
      tasks: [{ task: 'sum', calls: 4, taskRuns: 2 }],
      parameters: [
        { name: 'a', required: true, calls: 4, values: null },
        { name: 'b', required: true, calls: 4, values: null },
      ],
    });
    expect(sum?.retries[0]).toMatchObject({ task: 'sum', run: 1, changed: ['a'], worked: true });
    expect(sum?.schemaTokens).toBeGreaterThan(20);
    expect(sum?.tokens?.args).toBeGreaterThan(0);
    expect(sum?.durationMs?.p95).toBeGreaterThan(0);
  });

  it('tells which values were never taken', async () => {
    const { tools } = await report();
    const { parameters } = tools.find(({ tool }) => tool === 'get-annotated-message') ?? {};
    expect(parameters).toMatchObject([
      {
        name: 'messageType',
        values: [
          { value: 'error', calls: 0 },
          { value: 'success', calls: 2 },
          { value: 'debug', calls: 0 },
        ],
      },
      {
        name: 'includeImage',
        values: [
          { value: 'true', calls: 0 },
          { value: 'false', calls: 2 },
        ],
      },
    ]);
  });

  it('tells what was offered, allowed and never used, and what was blocked', async () => {
    const { neverUsed, tools, others } = await report();
    expect(neverUsed).toContainEqual({ server: 'everything', tool: 'echo' });
    expect(neverUsed).toContainEqual({ server: 'telling', tool: 'workdir' });
    expect(neverUsed).not.toContainEqual({ server: 'everything', tool: 'get-env' });
    expect(tools.find(({ tool }) => tool === 'get-tiny-image')).toMatchObject({
      allowed: false,
      calls: 2,
      blocked: 2,
    });
    expect(others).toEqual([
      {
        server: 'telling',
        kind: 'resource',
        name: 'telling://motto',
        calls: 1,
        errors: 0,
        taskRuns: 1,
      },
    ]);
  });

  it('is only of some tasks or of one server if that is asked for', async () => {
    const ofTask = await report('--task', 'tell');
    expect(ofTask.taskRuns).toBe(1);
    expect(ofTask.tools.find(({ tool }) => tool === 'get-sum')).toMatchObject({ calls: 0 });
    const ofServer = await report('--server', 'telling');
    expect(new Set(ofServer.tools.map(({ server }) => server))).toEqual(new Set(['telling']));
    expect(ofServer.neverUsed.every(({ server }) => server === 'telling')).toBe(true);
  });
});

describe('as text', () => {
  it('shows a table for each server, and what deserves a look', async () => {
    const { stdout, stderr, exitCode } = await tools();
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^everything\n {2}\d+ tools, available in 3 task runs/);
    expect(stdout).toMatch(/ {2}get-sum +4 +66\.7% +50\.0% +2 /);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'everything.get-sum 2 of 4 calls failed (50.0%), all of them because it did not take the arguments: its description or input schema may be unclear 2x MCP error -32602',
    );
    expect(stdout).toContain('after an error agents tried again 2 times');
    expect(stdout).toContain('values: messageType=error, messageType=debug, includeImage=true');
    expect(stdout).toMatch(/Offered and never used\n(.*\n)* {2}.*telling\.workdir/);
    expect(stdout).toMatch(/sum +everything\.get-sum 4x, /);
  });

  it('leaves no column out where nothing is too narrow for it', async () => {
    const { stdout } = await tools();
    const [titles = ''] = /^ {2}tool .*$/m.exec(stdout) ?? [];
    for (const title of ['calls', 'used in', 'blocked', 'p50', 'p95', ' in ', 'out', 'schema']) {
      expect(titles).toContain(title);
    }
  });

  it('lets no name reach the terminal as a command', async () => {
    const env = { HOME: suite.folder, TMPDIR: suite.temporaryFolder };
    const args = ['result', 'tools', 'out.json'];
    const text = await proctorInTerminal(args, { cwd: suite.folder, env });
    expect(text).toContain('sing␛[31m|<b>');
    expect(text).not.toContain('sing\u001b[31m|');
  });
});

describe('as Markdown', () => {
  it('has tables, in which nothing of a server is markup', async () => {
    const { stdout } = await tools('-o', 'markdown');
    expect(stdout).toMatch(/^## How agents used the tools\n/);
    expect(stdout).toMatch(/\| `get-sum` \| 4 \| 66\.7% \| 50\.0% \| 2 \|/);
    expect(stdout).toContain('- `everything.get-sum`\n  - 2 of 4 calls failed (50.0%)');
    expect(stdout).toContain('`sing\ufffd[31m¦<b>`');
    expect(stdout).toContain('| `telling` | resource | `telling://motto` | 1 | 0 | 1 |');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('a check that was killed', () => {
  it('says that something is missing, in every form', async () => {
    const journal = (await suite.read('out.jsonl')).trimEnd().split('\n');
    const end = journal.findIndex((line) => line.includes('"type":"run-ended"'));
    await suite.write('killed.jsonl', `${journal.slice(0, end).join('\n')}\n`);
    const killed = (...args: string[]) =>
      suite.proctor(['result', 'tools', 'killed.jsonl', ...args]);
    const sentence = 'unfinished: 3 of 3 task runs have a verdict (killed.jsonl: killed';
    expect((await killed()).stdout.replace(/\s+/g, ' ')).toContain(sentence);
    expect((await killed('-o', 'markdown')).stdout).toContain(`> ⚠️ \`${sentence}`);
    const { stdout } = await killed('-o', 'json', '--server', 'telling');
    expect(JSON.parse(stdout)).toMatchObject({ unfinished: [{ why: 'running', done: 3 }] });
    expect(await report()).not.toHaveProperty('unfinished');
  });
});

describe('what cannot be shown', () => {
  it.each([
    [['--server', 'zoo'], '--server: there is no server "zoo"'],
    [['--task', 'zebra'], 'there is no task run to look at'],
    [['--task', '('], '--task: invalid pattern'],
    [['nowhere.json'], 'nowhere.json does not exist'],
  ])('%j is refused', async (args, message) => {
    const { stdout, stderr, exitCode } = await tools(...args);
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});
