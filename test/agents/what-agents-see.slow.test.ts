import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { GitRepository } from '../../testing/git-repository.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { fixtures } from '../support/cli.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { type CheckResult, it, type ScratchSuite } from '../support/scratch-suite.js';
import { command, type SuiteParts, scripted, tellingServer } from '../support/suite-parts.js';

const taskName = 'quagga-census';
const evalName = 'okapi-survey';
const lookingAgent = path.join(fixtures, 'agents/looking-agent.mjs');

/** A task with a script that knows what it is for. */
const lookAround = {
  prompt: { inline: 'Look around.' },
  setup: [{ script: { inline: 'echo "$PROCTOR_TASK_NAME"' } }],
  verify: [{ script: { inline: 'test 1 = 1' } }],
};

type MakeSuite = (parts: SuiteParts) => Promise<ScratchSuite>;

interface LookedAround extends CheckResult {
  /** Where Proctor was started. */
  suite: ScratchSuite;
}

/** Runs a check whose folders, but for that of the suite, say nothing of it themselves. */
async function checkWith(makeSuite: MakeSuite, parts: Partial<SuiteParts>): Promise<LookedAround> {
  const suite = await makeSuite({
    tasks: { [taskName]: { spec: lookAround } },
    ...parts,
  });
  const evaluation = await suite.read('eval.yaml');
  await suite.write('eval.yaml', evaluation.replace('"name": "suite"', `"name": "${evalName}"`));
  const own = await mkdtemp(path.join(tmpdir(), 'sight-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const claude = `#!/bin/sh\nexec "${process.execPath}" "${lookingAgent}" --claude "$@"\n`;
  await mkdir(path.join(own, 'bin'));
  await writeFile(path.join(own, 'bin/claude'), claude);
  await chmod(path.join(own, 'bin/claude'), 0o755);
  const result = await suite.check([], {
    PATH: `${own}/bin:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: own,
    TMPDIR: own,
    // What a shell, npx and CI say of how Proctor was started.
    PWD: suite.folder,
    OLDPWD: suite.folder,
    _: '/usr/local/bin/proctor',
    INIT_CWD: suite.folder,
    npm_lifecycle_script: `"proctor" "check" "${evalName}.yaml"`,
    npm_package_name: 'mcp-proctor',
    npm_config_local_prefix: suite.folder,
    npm_config_package: 'mcp-proctor',
    npm_config_call: `proctor check ${evalName}.yaml`,
    SUDO_COMMAND: `/usr/bin/proctor check ${evalName}.yaml`,
    GITHUB_ACTION_PATH: '/home/runner/work/_actions/someone/proctor/v1',
    GITHUB_ACTION_REPOSITORY: 'someone/proctor',
    PROCTOR_QUEUE: 'redis://127.0.0.1:1',
    PROCTOR_EVAL: evalName,
    PLAIN: 'stays',
  });
  expect(result, result.stdout + result.stderr).toMatchObject({ exitCode: 0 });
  return { ...result, suite };
}

/** Neither the task nor the eval, nor who asks. */
function expectOpaque(text: string): void {
  for (const word of [taskName, evalName, 'proctor'])
    expect(text.toLowerCase()).not.toContain(word);
}

/** But for the documented way in which a command gets its prompt. */
function expectOpaqueSight(sight: { environment: string[] }, isCommand: boolean): void {
  const documented = isCommand ? /^PROCTOR_PROMPT(?:_FILE)?=/ : /$^/;
  const environment = sight.environment.map((entry) => entry.replace(documented, ''));
  expectOpaque(JSON.stringify({ ...sight, environment }));
}

const programs: [kind: string, agent: object][] = [
  ['claude-code', { builtin: { type: 'claude-code' } }],
  [
    'claude-code with a home of its own, and servers that it starts',
    { builtin: { type: 'claude-code' }, commands: { useVirtualHome: true, mcpTransport: 'stdio' } },
  ],
  ['acp', { acp: { cmd: process.execPath, args: [lookingAgent, '--acp'] } }],
  [
    'commands',
    command(`"${process.execPath}" "${lookingAgent}" -- {{ .McpServerFileArgs }}`, {
      argTemplateMcpServer: '{{ .File }} {{ .URL }}',
    }),
  ],
];

describe('an agent', () => {
  it.for(programs)(
    '%s sees nothing of the test around it',
    async ([kind, agent], { makeSuite }) => {
      const { taskRuns, suite } = await checkWith(makeSuite, { agent });
      expect(taskRuns).toMatchObject([{ calls: [{ name: 'echo', isError: false }] }]);
      const sight = JSON.parse(taskRuns[0]?.output ?? '');
      expect(sight.environment).toContain('PLAIN=stays');
      expect(sight.environment).toContain(`PWD=${sight.cwd}`);
      expect(sight.files.length).toBeGreaterThan(0);
      expectOpaqueSight(sight, kind === 'commands');
      expect(JSON.stringify(sight)).not.toContain(suite.folder);
    },
  );

  it('finds no script that prepared its task, wherever it looks', async ({ makeSuite }) => {
    const agent = command('grep -rlF PROCTOR_TASK_NAME "$TMPDIR" || echo nothing found');
    const { taskRuns } = await checkWith(makeSuite, { agent });
    expect(taskRuns[0]?.output.trim()).toBe('nothing found');
  });

  it('sees nothing of the files that its task was fetched with', async ({ makeSuite }) => {
    const task = { kind: 'Task', metadata: { name: taskName }, spec: lookAround };
    const repository = await GitRepository.create({ 'tasks/one.yaml': JSON.stringify(task) });
    onTestFinished(() => repository.remove());
    const { taskRuns } = await checkWith(makeSuite, {
      tasks: {},
      agent: command(`"${process.execPath}" "${lookingAgent}" -- {{ .McpServerFileArgs }}`),
      config: {
        sources: { far: { repo: repository.folder, ref: 'main' } },
        taskSets: [{ source: 'far', glob: 'tasks/*.yaml' }],
      },
    });
    expect(taskRuns).toMatchObject([{ task: taskName, outcome: 'passed' }]);
    expectOpaqueSight(JSON.parse(taskRuns[0]?.output ?? ''), true);
  });

  it('that judges sees nothing of what it judges but the question', async ({ makeSuite }) => {
    const notes = await mkdtemp(path.join(tmpdir(), 'notes-'));
    onTestFinished(() => rm(notes, { recursive: true, force: true }));
    const sight = path.join(notes, 'sight.json');
    const line = `"${process.execPath}" "${lookingAgent}" --judge "${sight}" {{ .McpServerFileArgs }}`;
    const judge = { kind: 'Agent', metadata: { name: 'judge' }, ...command(line) };
    const { taskRuns } = await checkWith(makeSuite, {
      tasks: {
        [taskName]: { spec: { ...lookAround, verify: [{ llmJudge: { contains: 'done' } }] } },
      },
      files: { 'judge.yaml': JSON.stringify(judge) },
      config: { llmJudge: { ref: { type: 'file', path: 'judge.yaml' } } },
    });
    expect(taskRuns).toMatchObject([{ outcome: 'passed' }]);
    expectOpaqueSight(JSON.parse(await readFile(sight, 'utf8')), true);
  });

  it('is given variables of that name which its Agent file names', async ({ makeSuite }) => {
    const agent = command('env', { env: { PROCTOR_EVAL: 'mine' } });
    const { taskRuns } = await checkWith(makeSuite, { agent });
    const lines = taskRuns[0]?.output.split('\n') ?? [];
    expect(lines.filter((line) => /^PROCTOR_(?!PROMPT)/.test(line))).toEqual(['PROCTOR_EVAL=mine']);
  });
});

describe('the traffic', () => {
  it.for(['scripted', 'llm-agent'])(
    'of a %s agent says nothing of the test',
    async (kind, { makeSuite }) => {
      const server = await startServer();
      const model = await ModelServer.start([
        { toolCalls: [{ tool: 'count', args: {} }] },
        { text: 'There are three.' },
      ]);
      onTestFinished(() => model.close());
      const baseUrl = `${model.url}/v1`;
      const { taskRuns } = await checkWith(makeSuite, {
        servers: { animals: { type: 'http', url: server.url, enableAllTools: true } },
        agent:
          kind === 'scripted'
            ? scripted({ call: { server: 'animals', tool: 'count' } })
            : { builtin: { type: kind, model: 'openai-compatible:m-1', baseUrl } },
        // The steps of the task are clients too, of the same server.
        tasks: {
          [taskName]: {
            spec: { prompt: { inline: 'Count them.' }, verify: [{ 'animals.count': {} }] },
          },
        },
      });
      expect(taskRuns).toMatchObject([{ outcome: 'passed', calls: [{ name: 'count' }] }]);
      const names = server.received.map(({ name }) => name);
      expect(names.filter((name) => name === 'POST tools/call')).toHaveLength(2);
      for (const { headers, body } of server.received) {
        expectOpaque(`${JSON.stringify(headers)}${body}`);
      }
      expect(model.requests).toHaveLength(kind === 'scripted' ? 0 : 2);
      for (const { headers, body, path } of model.requests) {
        expectOpaque(`${path}${JSON.stringify(headers)}${body}`);
      }
    },
  );

  it('of a stdio server has an opaque path', async ({ makeSuite }) => {
    const { taskRuns } = await checkWith(makeSuite, {
      servers: { telling: tellingServer() },
      agent: scripted({ call: { server: 'telling', tool: 'workdir' } }, { say: '{result}' }),
    });
    expect(taskRuns[0]?.output).toMatch(/\/work$/);
    expectOpaque(taskRuns[0]?.output ?? '');
  });
});

/** A server on HTTP that has one tool, and remembers what it heard. */
function startServer(): Promise<ScriptedHttpServer> {
  return ScriptedHttpServer.listen({
    'POST initialize': ({ id, response }) => {
      const serverInfo = { name: 'animals', version: '1' };
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
      answerJson(response, { jsonrpc: '2.0', id, result });
    },
    'POST tools/list': ({ id, response }) => {
      const tools = [{ name: 'count', inputSchema: { type: 'object' } }];
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
    'POST tools/call': ({ id, response }) => {
      const content = [{ type: 'text', text: '3' }];
      answerJson(response, { jsonrpc: '2.0', id, result: { content } });
    },
  });
}
