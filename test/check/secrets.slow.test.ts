import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerJson,
  type ReceivedRequest,
  ScriptedHttpServer,
} from '../../testing/scripted-http-server.js';
import { fixtures } from '../support/cli.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { serverProgram } from '../support/mcp-servers.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { expectNoTrace, expectNoTraceInFiles, filesOf } from '../support/secret-traces.js';
import { type SuiteFiles, SuiteFolder } from '../support/suite-folder.js';

/** With what JSON and addresses spell differently. */
const headerSecret = 'q7Zp/91xKw+33Lm-Vt08"aa5R-Yy21-Nn84-Jd63';
const serverSecret = 'Hs5t/eP8"r0-Uu27\\bB4k+Wx93-Tt61-Qq08-Mm5';
const agentSecret = 'jK3l-Rr84 sD6f,Gg19-zX2c-Vv07';
const fileSecret = 'nn4v-p0xc-27ys-m1wq-88dh';
const modelKey = 'tY5n-Wd82-kL0p-Fs47-bN6r-Jh31';
const secrets = [headerSecret, serverSecret, agentSecret, fileSecret, modelKey];

const env = {
  HEADER_SECRET: headerSecret,
  SERVER_SECRET: serverSecret,
  FILE_SECRET: fileSecret,
  OPENAI_API_KEY: modelKey,
};

const evalFile = {
  kind: 'Eval',
  metadata: { name: 'secrets' },
  config: {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.yaml',
    taskSets: [{ glob: 'tasks/*.yaml', assertions: { maxToolErrors: 0 } }],
  },
};

const hostile = (...args: string[]) => ({
  command: process.execPath,
  args: [serverProgram('hostile-stdio-server.mjs'), ...args],
  env: { SERVICE: 'prefix ${SERVER_SECRET}', FILE: '${FILE_SECRET}' },
  enableAllTools: true,
});

/** Starts in no time. */
const quickServer = {
  command: '/bin/sh',
  args: [serverProgram('shell-stdio-server.sh')],
  env: { SERVICE: '${SERVER_SECRET}' },
  enableAllTools: true,
};

const agentProgram = (name: string) => path.join(fixtures, 'agents', name);

const task = (name: string, prompt: string, more: object = {}) => ({
  kind: 'Task',
  metadata: { name, parallel: true },
  spec: { prompt: { inline: prompt }, ...more },
});

/** An HTTP server that tells everybody what it was sent. */
async function tellingServer(): Promise<ScriptedHttpServer> {
  return ScriptedHttpServer.listen({
    'POST tools/list': ({ id, headers, response }) => {
      const description = `for ${headers.authorization}`;
      const tools = [{ name: 'whoami', description, inputSchema: { type: 'object' } }];
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
    'POST tools/call': ({ id, headers, response }) => {
      const error = { code: 1, message: `${headers.authorization} is not welcome` };
      answerJson(response, { jsonrpc: '2.0', id, error });
    },
    others: ({ id, response }) => {
      answerJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
    },
  });
}

/** An HTTP server that lets nobody in, and says why. */
function refusingServer(): Promise<ScriptedHttpServer> {
  const refuse = ({ headers, response }: ReceivedRequest) =>
    void response.writeHead(401).end(`${headers.authorization} is not valid`);
  return ScriptedHttpServer.listen({ 'POST initialize': refuse, others: refuse });
}

/** Runs a check in every way in which something is shown, and looks at all that is left. */
async function expectNoTraceOf(files: SuiteFiles, more = {}): Promise<string> {
  const suite = await SuiteFolder.create(files);
  const root = path.dirname(suite.path);
  const given = filesOf(root);
  let shown = '';
  for (const options of [
    ['--keep-workdir', 'always'],
    ['--verbose', '--output', 'json'],
  ]) {
    const { stdout, stderr } = await suite.check(['-p', '4', ...options], { ...env, ...more });
    expectNoTrace(`stdout of ${options}`, stdout, secrets);
    expectNoTrace(`stderr of ${options}`, stderr, secrets);
    expectNoTraceInFiles(root, secrets, given);
    shown += stdout + stderr;
  }
  const terminal = await proctorInTerminal(
    ['check', 'eval.yaml', '--verbose', '-p', '4', '--force', '--out', suite.results],
    { cwd: suite.path, env: suite.environment({ ...env, ...more }) },
  );
  expectNoTrace('the terminal', terminal, secrets);
  expectNoTraceInFiles(root, secrets, given);
  // Else nobody would know whether there was anything to hide.
  expect(terminal).toContain('[redacted:');
  return shown + terminal;
}

describe('secrets', () => {
  it('of servers are nowhere, whatever agents, servers and scripts do with them', async () => {
    const remote = await tellingServer();
    const found = { call: { server: 'local', tool: 'environment', args: { name: 'SERVICE' } } };
    const say = { call: { server: 'local', tool: 'echo', args: { text: 'I say {results.1}' } } };
    const die = { call: { server: 'local', tool: 'exit', args: { last: 'dying of {results.1}' } } };
    const error = '{"jsonrpc":"2.0","id":<ID>,"error":{"code":1,"message":"bad <SECRET>"}}';
    const line = error.replace('<SECRET>', JSON.stringify(serverSecret).slice(1, -1));
    const wrong = { call: { server: 'local', tool: 'say', args: { line } } };
    const shown = await expectNoTraceOf({
      'eval.yaml': evalFile,
      'mcp.yaml': {
        mcpServers: {
          local: hostile(),
          remote: {
            url: remote.url,
            headers: { Authorization: 'Bearer ${HEADER_SECRET}' },
            enableAllTools: true,
          },
        },
      },
      'agent.yaml': {
        kind: 'Agent',
        scripted: [
          { when: 'repeat', do: [found, say, { say: 'It is {results.1}.' }] },
          { when: 'fail', do: [found, { fail: 'no luck with {results.1}' }] },
          { when: 'die', do: [found, die] },
          { when: 'wrong', do: [found, wrong, { say: encodeURIComponent(serverSecret) }] },
          { when: 'whoami', do: [{ call: { server: 'remote', tool: 'whoami' } }] },
          { when: 'prompt', do: [{ say: 'You said {prompt}' }] },
        ],
      },
      'tasks/a.yaml': task('repeat', 'repeat', {
        assertions: {
          toolsUsed: [{ server: 'local', tool: 'echo', args: { text: 'something else' } }],
          noDuplicateCalls: true,
        },
      }),
      'tasks/b.yaml': task('fail', 'fail'),
      'tasks/c.yaml': task('die', 'die'),
      'tasks/d.yaml': task('wrong', 'wrong'),
      'tasks/e.yaml': task('whoami', 'whoami'),
      'tasks/f.yaml': task('prompt', `prompt with {env.SERVER_SECRET} and ${headerSecret}`, {
        verify: [
          {
            script: {
              inline: 'printf "%s" "$SERVER_SECRET"; printf %s "$HEADER_SECRET" >&2; exit 3',
            },
          },
        ],
        cleanup: [
          { script: { inline: 'cat "$PROCTOR_CALLS"; printf %s "$SERVER_SECRET"; exit 4' } },
        ],
      }),
      [`tasks/${fileSecret}.yaml`]: task(`about ${fileSecret}`, 'repeat', {
        verify: [{ script: { file: `${fileSecret}.sh` } }],
      }),
      [`tasks/${fileSecret}.sh`]: 'echo "$0"; exit 1\n',
    });
    for (const name of ['SERVER_SECRET', 'HEADER_SECRET', 'FILE_SECRET']) {
      expect(shown).toContain(`[redacted:${name}]`);
    }
  });

  it('of agents are nowhere, in whatever pieces they come and wherever text is cut', async () => {
    const shown = await expectNoTraceOf({
      'eval.yaml': evalFile,
      'mcp.yaml': { mcpServers: { local: quickServer } },
      'agent.yaml': {
        kind: 'Agent',
        commands: {
          runPrompt: `exec '${process.execPath}' '${agentProgram('secret-teller.mjs')}' {{ .Prompt }}`,
          env: { SERVICE_TOKEN: agentSecret },
        },
      },
      'tasks/pieces.yaml': task('pieces', 'pieces'),
      'tasks/words.yaml': task('words', 'words'),
      'tasks/one-word.yaml': task('one-word', 'one-word'),
      'tasks/script.yaml': task('script', 'pieces', {
        verify: [
          {
            script: {
              inline: `'${process.execPath}' '${agentProgram('secret-teller.mjs')}' one-word`,
              env: { SERVICE_TOKEN: '{env.SERVER_SECRET}' },
            },
          },
        ],
      }),
    });
    for (const name of ['SERVICE_TOKEN', 'SERVER_SECRET']) {
      expect(shown).toContain(`[redacted:${name}]`);
    }
  });

  it('are nowhere when a server or an agent is not ready', async () => {
    const files = {
      'eval.yaml': evalFile,
      'mcp.yaml': [
        'mcpServers:',
        '  quick:',
        `    command: ${quickServer.command}`,
        `    args: ${JSON.stringify(quickServer.args)}`,
        '    enableAllTools: true',
        `    env: { SERVICE_PASSWORD: '${agentSecret}' }`,
        '  dying:',
        '    command: /bin/sh',
        `    args: [-c, 'printf "no login with %s" "$SERVICE" >&2; exit 3']`,
        '    env: { SERVICE: "${SERVER_SECRET}" }',
        '    enableAllTools: true',
        '  refusing:',
        `    url: ${(await refusingServer()).url}`,
        '    headers: { Authorization: "Bearer ${HEADER_SECRET}" }',
        '    enableAllTools: true',
        '',
      ].join('\n'),
      'agent.yaml': { kind: 'Agent', builtin: { type: 'claude-code' } },
      'tasks/a.yaml': task('a', 'a'),
    };
    const shown = await expectNoTraceOf(files, {
      PATH: `${agentProgram('claude-code/bin')}:${process.env.PATH}`,
      STAND_IN_LOG: `bad key ${modelKey}`,
      STAND_IN_EXIT: '3',
    });
    expect(shown).toContain('no login with [redacted:SERVER_SECRET]');
    expect(shown).toContain('"refusing" refused access');
    expect(shown).toContain('bad key [redacted:OPENAI_API_KEY]');
  });

  it('of a model are nowhere when the model repeats them or refuses them', async () => {
    const model = await ModelServer.start(({ prompt, headers }) => {
      const key = String(headers.authorization);
      const body = JSON.stringify({ error: { message: `${key} is not a key` } });
      return prompt === 'refuse' ? { status: 401, body } : { text: `You are ${key}.` };
    });
    onTestFinished(() => model.close());
    const shown = await expectNoTraceOf({
      'eval.yaml': evalFile,
      'mcp.yaml': { mcpServers: { local: quickServer } },
      'agent.yaml': {
        kind: 'Agent',
        builtin: { type: 'openai-agent', model: 'm-1', baseUrl: `${model.url}/v1` },
      },
      'tasks/repeat.yaml': task('repeat', 'repeat'),
      'tasks/refuse.yaml': task('refuse', 'refuse'),
    });
    expect(shown).toContain('Bearer [redacted:token] is not a key');
    expect(shown).toContain('You are Bearer [redacted:OPENAI_API_KEY]');
  });
});
