import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { extension } from '../support/extension-suite.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { serverProgram } from '../support/mcp-servers.js';
import { submitting } from '../support/model-judge.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { expectNoTrace, expectNoTraceInFiles, filesOf } from '../support/secret-traces.js';
import { type SuiteFiles, SuiteFolder } from '../support/suite-folder.js';

/** With what JSON, addresses and shells spell differently. */
const env = {
  VAULT_TOKEN: 'q7Zp/91xKw+33Lm-Vt08"aa5R-Yy21-Nn84-Jd63',
  DB_LOGIN: 'Hs5t/eP8"r0-Uu27\\bB4k+Wx93-Tt61-Qq08-Mm5',
  HTTP_TOKEN: 'jK3l-Rr84-sD6f-Gg19-zX2c-Vv07',
  SERVER_TOKEN: 'nn4v-p0xc-27ys-m1wq-88dh',
  OPENAI_API_KEY: 'tY5n-Wd82-kL0p-Fs47-bN6r-Jh31',
};
const password = 'Ee61-Oo33-cC8v-Pp40-uU7w';
const secrets = [...Object.values(env), password];

const evalFile = (config: object) => ({
  kind: 'Eval',
  metadata: { name: 'secrets' },
  config: {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.yaml',
    taskSets: [{ glob: 'tasks/*.yaml' }],
    ...config,
  },
});

const mcpFile = {
  mcpServers: {
    local: {
      command: process.execPath,
      args: [serverProgram('hostile-stdio-server.mjs')],
      env: { SERVICE: '${SERVER_TOKEN}' },
      enableAllTools: true,
    },
  },
};

const task = (name: string, spec: object) => ({
  kind: 'Task',
  metadata: { name },
  spec: { prompt: { inline: `Do ${name}.` }, ...spec },
});

const blabbing = (how = '') =>
  extension('blabbing.mjs', {
    config: { login: 'user:{env.DB_LOGIN}' },
    env: { VAULT_TOKEN: '{env.VAULT_TOKEN}', SERVICE_PASSWORD: password, HOW: how },
  });

/** Runs a check in every way in which something is shown, and looks at all that is left. */
async function shownOf(files: SuiteFiles): Promise<{ shown: string; suite: SuiteFolder }> {
  const suite = await SuiteFolder.create({
    'mcp.yaml': mcpFile,
    'agent.yaml': { kind: 'Agent', scripted: [{ do: [{ say: 'done' }] }] },
    ...files,
  });
  const root = path.dirname(suite.path);
  const given = filesOf(root);
  const options = ['--verbose', '--output', 'json', '--keep-workdir', 'always'];
  const { stdout, stderr } = await suite.check(options, env);
  expectNoTrace('stdout', stdout, secrets);
  expectNoTrace('stderr', stderr, secrets);
  expectNoTraceInFiles(root, secrets, given);
  const terminal = await proctorInTerminal(
    ['check', 'eval.yaml', '--verbose', '--force', '--out', suite.results],
    { cwd: suite.path, env: suite.environment(env) },
  );
  expectNoTrace('the terminal', terminal, secrets);
  expectNoTraceInFiles(root, secrets, given);
  return { shown: stdout + stderr + terminal, suite };
}

describe.concurrent('secrets', () => {
  it('of an extension are nowhere, however it tells them', async () => {
    const requires = [{ extension: 'vault' }];
    const step = (operation: string, more: object = {}) => ({
      [`vault.${operation}`]: { with: '{env.VAULT_TOKEN}' },
      ...more,
    });
    const hanging = { timeout: '1s' };
    const all = ['fail', 'refuse', 'crash', 'mumble'].map((operation) => step(operation));
    const quote = {
      script: { inline: 'printf %s "$TOLD"; exit 1', env: { TOLD: '{steps.told.text}' } },
    };
    const { shown, suite } = await shownOf({
      'eval.yaml': evalFile({ extensions: { vault: blabbing() } }),
      'tasks/a.yaml': task('verified', {
        requires,
        verify: [step('tell', { id: 'told' }), quote, ...all, step('hang', hanging)],
        cleanup: [step('crash')],
      }),
      'tasks/b.yaml': task('prepared', {
        requires,
        setup: [step('crash')],
        verify: [step('tell')],
      }),
    });

    for (const secret of ['VAULT_TOKEN', 'DB_LOGIN', 'SERVICE_PASSWORD']) {
      expect(shown).toContain(`[redacted:${secret}]`);
    }
    const verified = (await suite.taskRuns()).find((run) => run.task === 'verified');
    const [told, , failed, refused, crashed, mumbled, hung] = verified?.phases.verify?.steps ?? [];
    const together = '[redacted:VAULT_TOKEN] user:[redacted:DB_LOGIN] [redacted:SERVICE_PASSWORD]';
    expect(told).toMatchObject({ args: { with: '[redacted:VAULT_TOKEN]' } });
    expect(told?.outputs).toMatchObject({ text: together });
    expect(told?.log?.[0]?.message).toContain(`I know ${together}`);
    expect(failed?.message).toBe(`no ${together}`);
    expect(refused?.message).toContain(`not with ${together}`);
    expect(crashed?.log?.[0]?.message).toBe(`error: dying of ${together}\nfatal: ${together}`);
    expect(mumbled?.message).toContain(`Connected with ${together}`);
    expect(hung?.log?.at(-1)?.message).toContain(`waiting for ${together}`);
    // The whole of what was cut was looked at, too.
    const [kept = 'none'] = Object.values(told?.files ?? {});
    expect([...filesOf(path.dirname(suite.results))].join()).toContain(kept);
  });

  it('of an extension that is not ready are nowhere', async () => {
    const extensions = { refusing: blabbing('refuses'), dying: blabbing('dies') };
    const { shown } = await shownOf({
      'eval.yaml': evalFile({ extensions }),
      'tasks/a.yaml': task('a', {
        requires: [{ extension: 'refusing' }, { extension: 'dying' }],
        verify: [{ 'refusing.tell': {} }, { 'dying.tell': {} }],
      }),
    });

    expect(shown).toContain('cannot log in with [redacted:VAULT_TOKEN]');
    expect(shown).toContain('no login with [redacted:VAULT_TOKEN]');
  });

  it('of requests, tools and judges are nowhere when they come back', async ({
    onTestFinished,
  }) => {
    const echo = await LoopbackServer.http(
      ({ headers, url }, response) => {
        const told = String(headers.authorization);
        response.writeHead(200, { 'x-told': told, 'set-cookie': `token=${told}` });
        response.end(JSON.stringify({ told, url }));
      },
      { onTestFinished },
    );
    const model = await ModelServer.start(({ prompt, headers }) => {
      const reason = `With ${headers.authorization} I read ${prompt}`;
      return submitting({ passed: false, reason, failureCategory: 'missing_information' });
    });
    onTestFinished(() => model.close());
    const token = '{env.HTTP_TOKEN}';
    const request = {
      url: echo.url(`/?key=${token}`),
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: { json: { token } },
      expect: { body: { fields: [{ path: 'told', equals: 'nothing' }] } },
    };
    const { shown, suite } = await shownOf({
      'eval.yaml': evalFile({ llmJudge: { ref: { type: 'file', path: 'judge.yaml' } } }),
      'judge.yaml': {
        kind: 'Agent',
        metadata: { name: 'judge' },
        builtin: { type: 'openai-agent', model: 'm-1', baseUrl: `${model.url}/v1` },
      },
      'tasks/a.yaml': task('told', {
        verify: [
          { id: 'web', http: request },
          { http: { url: `http://127.0.0.1:1/${token}` } },
          {
            id: 'tool',
            'local.environment': {
              args: { name: 'SERVICE', token },
              expect: { content: { match: '^nothing$' } },
            },
          },
          { script: { inline: 'printf %s "$A"; exit 1', env: { A: '{steps.web.body}' } } },
          { script: { inline: 'printf %s "$A"; exit 1', env: { A: '{steps.tool.content}' } } },
          { llmJudge: { contains: `the token ${token}` } },
        ],
      }),
    });

    const [run] = await suite.taskRuns();
    const [web, , tool, , , judged] = run?.phases.verify?.steps ?? [];
    expect(web?.outputs.body).toContain('Bearer [redacted:');
    expect(tool?.outputs.content).toBe('[redacted:SERVER_TOKEN]');
    expect(tool?.message).toContain('[redacted:SERVER_TOKEN]');
    expect(judged?.judgement?.reason).toContain('the token [redacted:HTTP_TOKEN]');
    expect(judged?.message).toContain('the judge says');
    expect(shown).toContain('[redacted:OPENAI_API_KEY]');
  });
});
