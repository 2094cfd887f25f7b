import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { AgentSession } from '../support/agent-session.js';
import { serverProgram } from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script, scripted } from '../support/suite-parts.js';

const program = serverProgram('stateful-server.mjs');
const server = (args: readonly string[], more: object = {}) => ({
  notes: { command: process.execPath, args: [program, ...args], ...more },
});
const call = (tool: string, args: object = {}) => ({ call: { server: 'notes', tool, args } });
const remember = scripted(call('add_note', { text: 'a dog' }), call('place'), { say: '{result}' });
const hasOneNote = script('test "$(cat "$PROCTOR_WORKDIR/notes")" = "a dog"');

async function checkTwice(suite: ScratchSuite, env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr, ...found } = await suite.check(['--runs', '2'], env);
  expect(exitCode, `${stdout}${stderr}`).toBe(0);
  expect(await suite.leftovers()).toEqual([]);
  const started = found.events.filter((event) => event.type === 'task-run-started');
  expect(started).toHaveLength(2);
  return { ...found, started, stderr };
}

describe.concurrent('a server with state that knows nothing of task runs', () => {
  it.for([
    ['an argument', server(['--file', '${PROCTOR_WORKDIR}/notes'])],
    ['a variable', server([], { env: { NOTES_FILE: '${PROCTOR_WORKDIR}/notes' } })],
    ['its folder', server(['--file', 'notes'], { cwd: '${PROCTOR_WORKDIR}' })],
    ['a default that is not needed', server(['--file', '${PROCTOR_WORKDIR:-/nowhere}/notes'])],
  ] as const)(
    'gets the working directory of each task run by %s',
    async ([, servers], { makeSuite }) => {
      const suite = await makeSuite({
        // Each run would find two notes, or none, if they shared a file or looked elsewhere.
        tasks: { one: { spec: { verify: [hasOneNote] } } },
        agent: remember,
        servers,
      });
      // A variable of this name that somebody has set means nothing.
      await checkTwice(suite, { PROCTOR_WORKDIR: '/nowhere' });
    },
  );

  it('gets the {random.id} and {random.port} that steps and prompt have', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            prompt: { inline: 'Use {random.id} and {random.port}.' },
            verify: [
              {
                script: {
                  inline: 'grep -q "\\"notes-$ID-$PORT\\"" "$PROCTOR_AGENT_OUTPUT"',
                  env: { ID: '{random.id}', PORT: '{random.port}' },
                },
              },
            ],
          },
        },
      },
      agent: scripted(call('place'), { say: '{result}' }),
      servers: server(['--file', 'notes-{random.id}-{random.port}']),
    });
    const { taskRuns, started } = await checkTwice(suite);
    const ids = started.map(({ random: { id, port } }) => `Use ${id} and ${port}.`);
    expect(new Set(ids).size).toBe(2);
    expect(taskRuns.map(({ prompt }) => prompt)).toEqual(ids);
  });

  it('does not expand what a variable holds', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(call('place'), { say: '{result}' }),
      servers: server(['--file', '${ODD}-{random.id}']),
    });
    const { taskRuns, started } = await checkTwice(suite, { ODD: '{random.port}' });
    const { notes } = JSON.parse(taskRuns[0]?.output ?? '');
    expect(notes).toBe(`{random.port}-${started[0]?.random.id}`);
  });

  it('on HTTP is started by setup at the port of its task run, and waited for', async ({
    makeSuite,
  }) => {
    const start = `${process.execPath} ${program} --port "$PORT" --file "$PROCTOR_WORKDIR/notes"`;
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            setup: [
              { script: { inline: `${start} &`, env: { PORT: '{random.port}' } } },
              { 'notes.add_note': { args: { text: 'from setup' } } },
            ],
            verify: [
              script('test "$(cat "$PROCTOR_WORKDIR/notes")" = "from setup\na dog"'),
              { 'notes.read_notes': { expect: { content: { match: 'a dog' } } } },
            ],
          },
        },
      },
      agent: remember,
      servers: { notes: { url: 'http://127.0.0.1:{random.port}/mcp' } },
      assertions: { toolsUsed: [{ server: 'notes', tool: 'add_note' }] },
    });
    const { taskRuns, started, stderr } = await checkTwice(suite);
    expect(taskRuns.map(({ output }) => JSON.parse(output).port)).toEqual(
      started.map(({ random }) => String(random.port)),
    );
    expect(stderr).not.toContain('warning');
    const { mcpServers } = JSON.parse(await suite.read('out.json'));
    expect(mcpServers).toMatchObject([{ name: 'notes', allowedTools: expect.any(Array) }]);
    expect(mcpServers[0].tools).toHaveLength(3);

    const connected = await suite.proctor(['validate', 'eval.yaml', '--connect']);
    expect(connected.exitCode, connected.stdout + connected.stderr).toBe(0);
    const control = await suite.check(['--control']);
    expect(control.exitCode, control.stderr).toBe(0);
  });

  it('on HTTP that setup does not start is an error of the task run', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: remember,
      servers: {
        notes: { url: 'http://127.0.0.1:{random.port}/mcp', startupTimeout: '300ms' },
      },
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: {
          category: 'server-failed',
          message: expect.stringMatching(/"notes" cannot be reached: connection refused/),
        },
        calls: [],
      },
    ]);
  });

  it('that needs what setup makes is started after it', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            setup: [script('mkdir "$PROCTOR_WORKDIR/repository"')],
            verify: [script('grep -qx "a dog" "$PROCTOR_WORKDIR/repository/notes"')],
          },
        },
      },
      agent: remember,
      servers: server(['--folder', '${PROCTOR_WORKDIR}/repository']),
    });
    await checkTwice(suite);
    const { exitCode, stdout } = await suite.proctor([
      ...['validate', 'eval.yaml', '--connect', '--strict'],
    ]);
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain(
      'server notes: asked after setup in each task run; before setup: the server "notes" exited with code 1',
    );
  });

  it('that is given by MCP_* variables gets the values of each task run', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { verify: [hasOneNote] } } },
      agent: remember,
      config: { mcpConfigFile: undefined },
    });
    await checkTwice(suite, {
      MCP_COMMAND: process.execPath,
      MCP_ARGS: JSON.stringify([program, '--file', '${PROCTOR_WORKDIR}/notes']),
      MCP_SERVER_NAME: 'notes',
    });
  });

  it('is tried by init with values of its own, which the suite then has', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: {} });
    const command = `${process.execPath} ${program} --file \${PROCTOR_WORKDIR}/notes`;
    const made = await suite.proctor(['init', '--server', command, '-y', 'made']);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(await readFile(suite.path('made/mcp-config.yaml'), 'utf8')).toContain(
      '${PROCTOR_WORKDIR}/notes',
    );
    expect(await suite.leftovers()).toEqual([]);
  });

  it('at a port of a task run is refused by proctor proxy', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {},
      servers: { notes: { url: 'http://127.0.0.1:{random.port}/mcp' } },
    });
    const { exitCode, stderr } = await suite.proctor(['proxy', '--mcp-config-file', 'mcp.yaml']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the URL of "notes" has a value of a task run');
  });

  it('gets a folder of its own from proctor proxy, for as long as it records', async ({
    onTestFinished,
  }) => {
    const proxy = await RunningProxy.start(
      server(['--file', '${PROCTOR_WORKDIR}/notes']),
      {},
      onTestFinished,
    );
    const agent = await AgentSession.open(proxy.url('notes'));
    await agent.text('add_note', { text: 'a dog' });
    const { notes } = JSON.parse(await agent.text('place'));
    expect(await readFile(notes, 'utf8')).toBe('a dog\n');
    await proxy.stop();
    await expect(readFile(notes, 'utf8')).rejects.toThrow('ENOENT');
  });
});
