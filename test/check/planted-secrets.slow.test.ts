import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { proctor } from '../support/cli.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { serverProgram } from '../support/mcp-servers.js';
import {
  inVariables,
  namedSecrets,
  partsOfVariables,
  shapedSecrets,
} from '../support/planted-secrets.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';
import { expectNoTrace, expectNoTraceInFiles, filesOf } from '../support/secret-traces.js';
import { SuiteFolder } from '../support/suite-folder.js';

const environment = { ...namedSecrets, ...inVariables };
const given = {
  header: 'Hd7-Qw2-Zx9-Lk4-Pm6',
  bearer: 'Br3Tn8Vc5Xs1Yd0Ra',
  argument: 'Ag5-Jf8-Ke2-Wu7',
};
const customer = 'CUST-482913';
const chosen = 'an ordinary value that nobody may see';

/** What is random in secrets: words such as `https` and `PRIVATE` are no secrets. */
const planted = [
  ...[...Object.values(namedSecrets), ...Object.values(shapedSecrets)].flatMap(
    (secret) => secret.match(/(?<![A-Za-z0-9])(?=[A-Za-z]*\d)[A-Za-z0-9]{10,}/g) ?? [secret],
  ),
  ...partsOfVariables,
  ...Object.values(given),
  customer,
  chosen,
];

const call = (server: string, tool: string, args: object) => ({ call: { server, tool, args } });

function suiteFiles(remoteUrl: string) {
  const names = Object.keys(environment);
  const asked = names.map((name) => call('local', 'environment', { name }));
  const said = Object.values(shapedSecrets).map((text) => call('local', 'echo', { text }));
  // The agent repeats what it was told, as an argument, as the name of one, and deep inside of one.
  const repeated = names.map((_, index) => {
    const text = `{results.${index + 1}}`;
    return call('local', 'echo', { text, more: [{ text: `is "${text}"` }] });
  });
  // A header is one line.
  const shapedLines = Object.values(shapedSecrets).filter((text) => !text.includes('\n'));
  const headers = {
    ...Object.fromEntries(names.map((name, index) => [`X-Env-${index}`, `\${${name}}`])),
    ...Object.fromEntries(shapedLines.map((text, index) => [`X-Shape-${index}`, `a ${text} b`])),
  };
  const told = asked.concat(said).map((_, index) => `{results.${index + 1}}`);
  return {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'planted' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.yaml',
        redact: [{ env: 'CHOSEN' }, { pattern: 'CUST-[0-9]{6}' }],
        taskSets: [{ path: 'task.yaml', assertions: { maxToolCalls: 10, noDuplicateCalls: true } }],
      },
    },
    'mcp.yaml': {
      mcpServers: {
        local: {
          command: process.execPath,
          args: [
            serverProgram('hostile-stdio-server.mjs'),
            `--api-key=${given.argument}`,
            ...names.map((name) => `--of=\${${name}}`),
            ...Object.values(shapedSecrets),
          ],
          enableAllTools: true,
        },
        remote: {
          url: remoteUrl,
          headers: {
            'X-Api-Key': given.header,
            Authorization: `Bearer ${given.bearer}`,
            ...headers,
          },
          enableAllTools: true,
        },
      },
    },
    'agent.yaml': {
      kind: 'Agent',
      scripted: [
        {
          do: [
            ...asked,
            ...said,
            ...repeated,
            call('remote', 'headers', {}),
            call('local', 'arguments', {}),
            call('local', 'echo', { text: `${given.argument} ${customer} ${chosen}` }),
            { say: `${told.join(' ')} ${customer} ${chosen}` },
          ],
        },
      ],
    },
    'task.yaml': {
      kind: 'Task',
      metadata: { name: 'planted' },
      spec: {
        prompt: { inline: 'Say all that you know' },
        verify: [{ script: { file: 'leak.sh' } }],
        cleanup: [
          {
            script: {
              inline:
                'for i in 1 2 3 4 5 6 7 8 9 10; do head -c 200000 /dev/zero | tr "\\0" .; env; done',
            },
          },
        ],
      },
    },
    'leak.sh': [
      'env; env >&2',
      "cat <<'END'",
      ...Object.values(shapedSecrets),
      customer,
      'END',
      'exit 3\n',
    ].join('\n'),
  };
}

/** A server that repeats what it was sent. */
function repeatingServer(): Promise<ScriptedHttpServer> {
  return ScriptedHttpServer.listen({
    'POST tools/list': ({ id, response }) => {
      const tools = [{ name: 'headers', inputSchema: { type: 'object' } }];
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
    'POST tools/call': ({ id, headers, response }) => {
      const content = [{ type: 'text', text: JSON.stringify(headers) }];
      answerJson(response, { jsonrpc: '2.0', id, result: { content } });
    },
  });
}

/** What a report holds, which is compressed. */
function unpacked(html: string): string {
  const packed = html.match(/[A-Za-z0-9+/]{64,}={0,2}/g) ?? [];
  return packed
    .map((text) => Buffer.from(text, 'base64'))
    .map((bytes) => {
      try {
        return (bytes[0] === 0x1f ? gunzipSync(bytes) : inflateRawSync(bytes)).toString();
      } catch {
        return '';
      }
    })
    .join('\n');
}

describe('forty kinds of secrets', () => {
  it('are at least forty', () => {
    const kinds = [namedSecrets, shapedSecrets, given, partsOfVariables];
    expect(kinds.flatMap((each) => Object.keys(each)).length).toBeGreaterThanOrEqual(40);
  });

  it('are in no file and on no terminal, wherever a check and what follows it write', async () => {
    const suite = await SuiteFolder.create(suiteFiles((await repeatingServer()).url));
    const root = path.dirname(suite.path);
    const before = filesOf(root);
    const out = (name: string) => path.join(root, name);
    const env = suite.environment({
      ...environment,
      CHOSEN: chosen,
      GITHUB_STEP_SUMMARY: out('summary.md'),
      GITHUB_OUTPUT: out('output.txt'),
    });
    let shown = '';
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await proctor(args, { cwd: suite.path, env });
      expectNoTrace(`stdout of ${args}`, stdout, planted);
      expectNoTrace(`stderr of ${args}`, stderr, planted);
      shown += stdout + stderr;
    };
    const check = ['check', 'eval.yaml', '--force', '--out', suite.results];
    const files = ['junit=a.xml', 'markdown=a.md', 'json=a.json', 'tap=a.tap', 'html=a.html'];
    const reporters = [...files.map((each) => each.replace('=', `=${root}/`)), 'text', 'github'];
    await run('validate', 'eval.yaml', '--connect');
    await run(...check, '--verbose', ...reporters.flatMap((each) => ['--reporter', each]));
    await run(...check, '-o', 'json');
    for (const format of ['junit', 'csv', 'markdown']) {
      await run('result', 'convert', format, suite.results, '--output-file', out(`b.${format}`));
    }
    await run('report', suite.results, '--out', out('b.html'));
    await run('result', 'merge', suite.results, '--out', out('merged.json'));
    await run('view', suite.results);
    await run('summary', suite.results, '--github-output');
    await run('recheck', suite.results, '--eval', 'eval.yaml');
    const terminal = await proctorInTerminal([...check, '--verbose'], { cwd: suite.path, env });
    expectNoTrace('the terminal', terminal, planted);
    expectNoTraceInFiles(root, planted, before);
    const reports = readdirSync(root).filter((name) => name.endsWith('.html'));
    expect(reports).toEqual(expect.arrayContaining(['a.html', 'b.html']));
    for (const name of reports) {
      const content = unpacked(readFileSync(out(name), 'utf8'));
      expect(content).toContain('[redacted:PGPASSWORD]');
      expectNoTrace(name, content, planted);
    }
    // Else nobody would know whether they were there at all.
    for (const name of [...Object.keys(namedSecrets), 'CHOSEN', 'pattern', 'token', 'X-Api-Key']) {
      expect(shown).toContain(`[redacted:${name}]`);
    }
  });

  it('are nowhere in what shells, addresses, HTML, JSON and base64 make of them', async ({
    onTestFinished,
  }) => {
    const quoted = { ADMIN_PWD: `adZqpwd$77"x'y\\z`, SMTP_PASS: 'ZqSmtp!@#99(x) <&>' };
    const whole = { SOME_SECRET_KEY: 'Zq0123456789abcdefghijklmnop' };
    const sent = { password: 'ZqLiteral-body-1', api_token: 'ZqLiteral-argument-1' };
    const print = (changed: string) =>
      `for (const s of [process.env.ADMIN_PWD, process.env.SMTP_PASS]) console.log(${changed})`;
    const changes = {
      address:
        "encodeURIComponent(s).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16))",
      form: 'new URLSearchParams({ s }).toString()',
      small: 'encodeURIComponent(s).replace(/%../g, (code) => code.toLowerCase())',
      page: `s.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#39;')`,
      numbers: "s.replace(/[&<>\"']/g, (c) => '&#' + c.charCodeAt(0) + ';')",
      json: '[1, 2, 3, 4].reduce((text) => JSON.stringify(text), s)',
    };
    const shells = {
      exported: 'export -p',
      escaped: `printf '%q %q\\n' "$ADMIN_PWD" "$SMTP_PASS"`,
      quotes: 'echo "${ADMIN_PWD@Q} ${SMTP_PASS@Q}"',
      variables: 'set',
    };
    // Wherever the line breaks fall.
    const wrapped = `for i in $(seq 40 80); do printf "%\${i}s$SOME_SECRET_KEY and more behind it, to the end of the line" | base64; done`;
    const node = (code: string) => `${process.execPath} -e '${code.replaceAll("'", `'\\''`)}'`;
    const scripts = [
      ...Object.values(shells),
      ...Object.values(changes).map((change) => node(print(change))),
      wrapped,
    ];
    const echo = await LoopbackServer.http(
      (request, response) => void request.pipe(response.writeHead(200)),
      { onTestFinished },
    );
    const suite = await SuiteFolder.create({
      'eval.yaml': {
        kind: 'Eval',
        metadata: { name: 'spelled' },
        config: {
          agent: { type: 'file', path: 'agent.yaml' },
          mcpConfigFile: 'mcp.yaml',
          taskSets: [{ path: 'task.yaml' }],
        },
      },
      'mcp.yaml': {
        mcpServers: {
          local: { command: process.execPath, args: [serverProgram('hostile-stdio-server.mjs')] },
        },
      },
      'agent.yaml': { kind: 'Agent', scripted: [{ do: [{ say: 'done' }] }] },
      'task.yaml': {
        kind: 'Task',
        metadata: { name: 'spelled' },
        spec: {
          prompt: { inline: 'Do it' },
          setup: scripts.map((inline) => ({ script: { inline } })),
          verify: [
            {
              http: {
                url: echo.url('/'),
                method: 'POST',
                body: { json: { password: sent.password } },
              },
            },
            { 'local.echo': { args: { text: 'x', api_token: sent.api_token } } },
            ...scripts.map((inline) => ({ script: { inline: `${inline}; exit 1` } })),
          ],
        },
      },
    });
    const root = path.dirname(suite.path);
    const before = filesOf(root);
    const env = { ...quoted, ...whole };
    const { stdout, stderr } = await suite.check(['--verbose', '-o', 'json'], env);
    const terminal = await proctorInTerminal(
      ['check', 'eval.yaml', '--verbose', '--force', '--out', suite.results],
      { cwd: suite.path, env: suite.environment(env) },
    );
    // What no spelling changes.
    const parts = ['adZqpwd', 'ZqSmtp', ...Object.values(whole), ...Object.values(sent)];
    for (const part of parts) {
      for (const text of [stdout, stderr, terminal]) expect(text).not.toContain(part);
    }
    expectNoTraceInFiles(root, parts, before);
    const [taskRun] = await suite.taskRuns();
    const steps = [taskRun?.phases.setup, taskRun?.phases.verify].flatMap(
      (phase) => phase?.steps ?? [],
    );
    const outputs = steps.map((step) => JSON.stringify(step));
    for (const output of outputs.slice(0, scripts.length - 1)) {
      expect(output).toContain('[redacted:ADMIN_PWD]');
      expect(output).toContain('[redacted:SMTP_PASS]');
    }
    for (const name of Object.keys(sent)) {
      expect(outputs.join('\n')).toContain(`[redacted:${name}]`);
    }
    const inBase64 = outputs[scripts.length - 1] ?? '';
    expect(inBase64.split('[redacted:SOME_SECRET_KEY]')).toHaveLength(1 + 41);
    const blocks = inBase64.replaceAll(String.raw`\n`, '').split(/[^A-Za-z0-9+/=]+/);
    const decoded = blocks.map((block) => Buffer.from(block, 'base64').toString()).join('\n');
    expect(decoded).not.toMatch(/0123|abcdef|klmnop/);
  });

  it('are in no recording of a proxy', async () => {
    const server = stdioServer('hostile-stdio-server.mjs');
    const proxy = await RunningProxy.start({ server }, { env: environment });
    const session = await AgentSession.open(proxy.url('server'));
    for (const name of Object.keys(environment)) await session.text('environment', { name });
    for (const text of Object.values(shapedSecrets)) {
      // The agent is given what the server said.
      expect(await session.text('echo', { text })).toContain(text);
    }
    const { stdout, stderr } = await proxy.stop();
    const journal = readFileSync(proxy.journalFile, 'utf8');
    for (const text of [stdout, stderr, journal]) expectNoTrace('the recording', text, planted);
    for (const name of Object.keys(namedSecrets)) expect(journal).toContain(`[redacted:${name}]`);
  });

  it('are in no message about a call or a file', async () => {
    const secret = namedSecrets.PGPASSWORD ?? '';
    const suite = await SuiteFolder.create({
      'eval.yaml': {
        kind: 'Eval',
        metadata: { name: 'messages', [secret]: 1 },
        config: { mcpConfigFile: `${secret}.yaml`, agent: { type: secret }, taskSets: [] },
      },
    });
    for (const words of [
      ['validate', 'eval.yaml'],
      ['validate', 'eval.yaml', '-o', 'json'],
      ['check', 'eval.yaml'],
      ['check', 'eval.yaml', '-o', 'json'],
      ['list', 'eval.yaml'],
      ['recheck', 'out.json', '--eval', 'eval.yaml'],
      ['proxy', '--mcp-config-file', `${secret}.yaml`],
      ['view', secret],
      ['report', 'x.json', `--${secret}`],
      [secret],
    ]) {
      const env = suite.environment(environment);
      const { exitCode, stdout, stderr } = await proctor(words, { cwd: suite.path, env });
      expectNoTrace(`the output of ${words[0]}`, stdout + stderr, [secret]);
      expect({ words, exitCode }).toEqual({ words, exitCode: 2 });
      expect(stdout + stderr).toContain('[redacted:PGPASSWORD]');
    }
  });

  it('never change a verdict when a record is rechecked', async () => {
    const args = { text: 'production-db' };
    const echo = (text: string) => [{ server: 'local', tool: 'echo', args: { text } }];
    const taskFile = (assertions: object) => ({
      kind: 'Task',
      metadata: { name: 'rechecked' },
      spec: { prompt: { inline: 'Do it' }, assertions },
    });
    const evalFile = (assertions: object) => ({
      kind: 'Eval',
      metadata: { name: 'rechecked' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.yaml',
        taskSets: [{ path: 'task.yaml', assertions }],
      },
    });
    const suite = await SuiteFolder.create({
      'eval.yaml': evalFile({}),
      'mcp.yaml': {
        mcpServers: {
          local: {
            command: process.execPath,
            args: [serverProgram('hostile-stdio-server.mjs')],
            enableAllTools: true,
          },
        },
      },
      'agent.yaml': { kind: 'Agent', scripted: [{ do: [call('local', 'echo', args)] }] },
      'task.yaml': taskFile({}),
    });
    const env = { DATABASE_SECRET: args.text };
    const recheck = async (assertions: object) => {
      await suite.write('eval.yaml', evalFile(assertions));
      const out = path.join(suite.path, 'rechecked.json');
      const words = ['recheck', suite.results, '--eval', 'eval.yaml', '--out', out];
      const { exitCode, stdout } = await proctor(words, { cwd: suite.path, env });
      const [taskRun] = JSON.parse(readFileSync(out, 'utf8')).taskRuns;
      return { exitCode, stdout, outcome: taskRun.outcome, assertions: taskRun.assertions };
    };
    // What assertions see while a check runs is not redacted.
    for (const [assertions, exitCode, outcome] of [
      [{ toolsUsed: echo(args.text) }, 0, 'passed'],
      [{ toolsNotUsed: echo(args.text) }, 1, 'failed'],
    ] as const) {
      await suite.write('eval.yaml', evalFile(assertions));
      expect((await suite.check([], env)).exitCode).toBe(exitCode);
      const again = await recheck(assertions);
      expect(again).toMatchObject({ exitCode, outcome, assertions: [{ passed: exitCode === 0 }] });
      expect(again.stdout).toContain('as it was recorded: it depends on what is redacted');
      expect(again.stdout).toContain('nothing changed');
    }
    // Nobody can tell any more what another assertion would have said.
    for (const assertions of [
      { toolsUsed: echo('other-db') },
      { toolsNotUsed: echo('other-db') },
      { toolsNotUsed: echo('/red.cted/') },
    ]) {
      const { stdout, ...verdict } = await recheck(assertions);
      expect(verdict).toEqual({ exitCode: 1, outcome: 'error', assertions: [] });
      expect(stdout).toMatch(/^ {2}not checked {2}toolsUsed|^ {2}not checked {2}toolsNotUsed/m);
      expect(stdout).toContain('1 assertion not checked');
    }
    // Nor, of two that changed places, which of the verdicts of then was whose.
    const [never, secret] = [[{ server: 'local', tool: 'other' }], echo(args.text)];
    await suite.write('eval.yaml', evalFile({ toolsNotUsed: never }));
    await suite.write('task.yaml', taskFile({ toolsNotUsed: secret }));
    expect((await suite.check([], env)).exitCode).toBe(1);
    await suite.write('task.yaml', taskFile({ toolsNotUsed: never }));
    const { stdout, exitCode, outcome } = await recheck({ toolsNotUsed: secret });
    expect({ exitCode, outcome }).toEqual({ exitCode: 1, outcome: 'error' });
    expect(stdout).toContain('1 assertion not checked');
    expect(stdout).not.toContain('now holds');
  });

  it('that a pattern finds leave the digests of what judges a task', async () => {
    const task = (name: string) => ({
      kind: 'Task',
      metadata: { name },
      spec: { prompt: { inline: 'Do it' }, verify: [{ script: { inline: 'true' } }] },
    });
    const evalFile = (maxToolCalls: number) => ({
      kind: 'Eval',
      metadata: { name: 'digests' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.yaml',
        redact: [{ pattern: '[0-9a-f]{12,}' }],
        taskSets: [{ path: 'task.yaml', assertions: { maxToolCalls } }],
      },
    });
    const suite = await SuiteFolder.create({
      'eval.yaml': evalFile(1),
      'mcp.yaml': {
        mcpServers: {
          local: { command: '/bin/sh', args: [serverProgram('shell-stdio-server.sh')] },
        },
      },
      'agent.yaml': { kind: 'Agent', scripted: [{ do: [{ say: 'Done' }] }] },
      'task.yaml': task('one'),
    });
    const other = path.join(suite.path, 'other.json');
    expect(await suite.check()).toMatchObject({ exitCode: 0 });
    await suite.write('eval.yaml', evalFile(2));
    expect(await suite.check(['--out', other])).toMatchObject({ exitCode: 0 });
    const words = ['diff', '--base', suite.results, '--current', other];
    const { stdout } = await proctor(words, { cwd: suite.path });
    expect(stdout).toContain('one: judged differently: the assertion maxToolCalls changed');
  });
});
