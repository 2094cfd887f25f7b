import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { proctor } from '../support/cli.js';
import { answerInTerminal } from '../support/in-terminal.js';
import {
  everythingProgram,
  type HttpServer,
  serverProgram,
  startEverything,
} from '../support/mcp-servers.js';

const folder = () => mkdtemp(path.join(inject('homeFolder'), 'init-'));
const everything = `${process.execPath} ${everythingProgram}`;

const init = (cwd: string, ...args: string[]) => proctor(['init', ...args], { cwd });
const yaml = async (...parts: string[]) => parse(await readFile(path.join(...parts), 'utf8'));

describe.concurrent('proctor init', () => {
  it('writes a suite for a server that validates and passes, without a question', async () => {
    const cwd = await folder();
    const { exitCode, stdout } = await init(cwd, '-y', '--server', everything);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/offers \d+ tools, \d+ resources, \d+ prompts/);
    expect(await readdir(path.join(cwd, 'evals'))).toEqual([
      'agent.yaml',
      'eval.yaml',
      'mcp-config.yaml',
      'tasks',
    ]);
    const tasks = await readdir(path.join(cwd, 'evals/tasks'));
    expect(tasks).toHaveLength(5);
    // It would print every secret that the server inherits.
    expect(tasks).not.toContain('get-env.yaml');

    const validated = await proctor(['validate', '--strict', '--connect', 'evals/eval.yaml'], {
      cwd,
    });
    expect(validated).toMatchObject({ exitCode: 0, stderr: '' });

    // The very words that it says come next.
    const [, check = ''] = /^ {2}proctor (check .*)$/m.exec(stdout) ?? [];
    const checked = await proctor(check.split(' '), { cwd });
    expect(checked.stdout).toContain('5: 5 passed');
    expect(checked.exitCode).toBe(0);
    const [, view = ''] = /^ {2}proctor (view .*)$/m.exec(stdout) ?? [];
    const viewed = await proctor(view.split(' '), { cwd });
    expect(viewed.exitCode).toBe(0);
    expect(viewed.stdout).toContain('echo');
  });

  it('names tasks after what a user wants, and lets prompts be edited', async () => {
    const cwd = await folder();
    await init(cwd, '-y', '--server', everything);
    const { scripted } = await yaml(cwd, 'evals/agent.yaml');
    const tools: string[] = scripted.map((rule: { do: { call: { tool: string } }[] }) =>
      rule.do[0]?.call.tool.replaceAll('_', '-'),
    );
    const files = await readdir(path.join(cwd, 'evals/tasks'));
    for (const tool of tools) expect(files).not.toContain(`${tool}.yaml`);
    expect(files).toContain('echoes-back-input-string.yaml');

    const task = path.join(cwd, 'evals/tasks/echoes-back-input-string.yaml');
    const before = await readFile(task, 'utf8');
    const edited = before.replace(/inline: .*(?:\n {6}.*)*/, 'inline: Say it again, please.');
    expect(edited).not.toBe(before);
    await writeFile(task, edited);
    const { exitCode, stdout } = await proctor(['check', 'evals/eval.yaml'], { cwd });
    expect(exitCode, stdout).toBe(0);
  });

  it('works from another folder, as the server is started where it was told', async () => {
    const cwd = await folder();
    await writeFile(path.join(cwd, 'server.mjs'), `import(${JSON.stringify(everythingProgram)});`);
    await init(cwd, '-y', '--server', `${process.execPath} server.mjs`, '--tasks', '1');
    const { exitCode } = await proctor(['check', 'eval.yaml'], { cwd: path.join(cwd, 'evals') });
    expect(exitCode).toBe(0);
  });

  it('takes a name, an agent with its model, and a folder', async () => {
    const cwd = await folder();
    const options = ['--agent', 'openai-agent', '--model', 'gpt-5-mini', '--name', 'My Server'];
    await init(cwd, 'suite', '-y', '--server', everything, ...options, '--tasks', '2');
    const { metadata, config } = await yaml(cwd, 'suite/eval.yaml');
    expect(metadata.name).toBe('my-server');
    expect(config.agent).toEqual({ type: 'builtin.openai-agent', model: 'gpt-5-mini' });
    expect(await readdir(path.join(cwd, 'suite'))).not.toContain('agent.yaml');
    const { exitCode } = await proctor(['validate', 'suite/eval.yaml'], { cwd });
    expect(exitCode).toBe(0);
  });

  it('does not take a task for done whose call failed, and says whose arguments are a guess', async () => {
    const cwd = await folder();
    const server = `${process.execPath} ${serverProgram('picky-stdio-server.mjs')}`;
    const { stdout } = await init(cwd, '-y', '--server', server);
    expect(stdout).toMatch(/arguments are made up\. .*: read_file\n/);
    const checked = await proctor(['check', 'evals/eval.yaml'], { cwd });
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain('2: 1 passed, 1 failed');
    expect(checked.stdout).toContain(
      'expected at most 0 tool errors; 1 of 1 tool call ended in an error',
    );
  });

  it('keeps secrets in the environment', async () => {
    const cwd = await folder();
    const { exitCode } = await proctor(
      ['init', '-y', '--server', everything, '--env', 'SECRET', '--env', 'MODE=fast'],
      { cwd, env: { SECRET: 'swordfish-123' } },
    );
    expect(exitCode).toBe(0);
    const { mcpServers } = await yaml(cwd, 'evals/mcp-config.yaml');
    const [server] = Object.values(mcpServers) as { env: object }[];
    expect(server?.env).toEqual({ SECRET: '${SECRET}', MODE: 'fast' });
    const other = await folder();
    const given = ['--env', 'API_TOKEN=swordfish-123', '--env', 'MODE=fast'];
    const { stdout } = await init(other, '-y', '--server', everything, ...given);
    expect(stdout).toContain('Set before you run it (secrets are not saved): API_TOKEN\n');
    const config = await readFile(path.join(other, 'evals/mcp-config.yaml'), 'utf8');
    expect(config).toContain('API_TOKEN: ${API_TOKEN}');
    expect(config + stdout).not.toContain('swordfish');
    const { stderr } = await init(await folder(), '-y', '--server', everything, '--env', 'SECRET');
    expect(stderr).toContain('the environment variable SECRET is not set');
  });

  it('writes down no secret of the environment, however it gets there', async () => {
    const cwd = await folder();
    const env = { SHOP_TOKEN: 'swordfish-123', API_KEY: 'hunter2-hunter2' };
    const program = [
      `const respond = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));`,
      `const tool = (name, description) => ({ name, description, inputSchema: { type: 'object' } });`,
      `const { SHOP_TOKEN: token, API_KEY: key } = process.env;`,
      `const tools = [tool('orders', 'Orders of ' + token), tool('of-' + key, 'x'), tool('ok', 'Fine')];`,
      `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {`,
      `  const { id, method, params } = JSON.parse(line);`,
      `  const serverInfo = { name: 'shop-' + key, version: '1' };`,
      `  const { protocolVersion } = params ?? {};`,
      `  if (method === 'initialize') respond(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });`,
      `  else if (method === 'tools/list') respond(id, { tools });`,
      `  else if (id !== undefined) respond(id, {});`,
      `});`,
    ];
    await writeFile(path.join(cwd, 'server.cjs'), program.join('\n'));
    const server = `node server.cjs ${env.API_KEY}`;
    const given = ['--env', `SERVICE=for ${env.SHOP_TOKEN}`];
    const made = await proctor(['init', '-y', '--server', server, ...given], { cwd, env });
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('offers 3 tools') });
    const names = await readdir(path.join(cwd, 'evals'), { recursive: true });
    const files = names.filter((name) => name.endsWith('.yaml'));
    const texts = await Promise.all(
      files.map((name) => readFile(path.join(cwd, 'evals', name), 'utf8')),
    );
    expect(texts.join()).toContain('SERVICE: for ${SHOP_TOKEN}');
    expect(texts.join()).toContain('- ${API_KEY}');
    for (const secret of Object.values(env)) {
      expect([made.stdout, ...names, ...texts].join()).not.toContain(secret);
    }
  });

  it('writes down no secret of the command line', async () => {
    const cwd = await folder();
    const args = 'stdio --api-key hunter2hunter2 --db postgres://u:pwpwpwpw99@h/x';
    const { exitCode, stdout } = await init(cwd, '-y', '--server', `${everything} ${args}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('(secrets are not saved): API_KEY, PASSWORD\n');
    const { mcpServers } = await yaml(cwd, 'evals/mcp-config.yaml');
    const [server] = Object.values(mcpServers) as { args: string[] }[];
    expect(server?.args.slice(-4)).toEqual([
      '--api-key',
      '${API_KEY}',
      '--db',
      'postgres://u:${PASSWORD}@h/x',
    ]);
  });

  it('overwrites nothing unless it is told to', async () => {
    const cwd = await folder();
    await init(cwd, '-y', '--server', everything, '--tasks', '1');
    await writeFile(path.join(cwd, 'evals/eval.yaml'), 'mine');
    const again = await init(cwd, '-y', '--server', everything, '--tasks', '1');
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('already: eval.yaml');
    expect(await readFile(path.join(cwd, 'evals/eval.yaml'), 'utf8')).toBe('mine');
    const forced = await init(cwd, '-y', '--server', everything, '--tasks', '1', '--force');
    expect(forced.exitCode).toBe(0);
    expect((await yaml(cwd, 'evals/eval.yaml')).kind).toBe('Eval');
  });

  it.each([
    [['-y'], '--server is required without a terminal'],
    [['--server', everything, '--agent', 'cloude-code'], 'did you mean claude-code?'],
    [['--server', everything, '--agent', 'nope'], 'builtin agents: scripted, claude-code'],
    [['--server', everything, '--agent', 'llm-agent'], '--agent llm-agent needs a model'],
    [['--server', everything, '--model', 'x'], 'a scripted agent has no model'],
    [['--server', '"node'], '--server: a quote does not end'],
    [['--server', ' '], '--server: expected a value'],
    [['--server', 'A=1 node server.js'], "write --env A=1 --server 'node server.js'"],
    [['--server', 'no-such-program-x1'], 'the server is not ready'],
    [['--server', `${process.execPath} -e process.exit(3)`], 'the server is not ready'],
    [['--server', 'http://127.0.0.1:1/mcp'], 'the server is not ready'],
    [['--server', 'http://127.0.0.1:1/mcp', '--env', 'A=b'], '--env is for a server'],
    [['--server', 'http://127.0.0.1:1/mcp', '--header', 'nope'], 'expected "Name: value"'],
    [['--server', everything, '--header', 'A: b'], '--header is for the URL'],
    [['--server', everything, '--env', '1=2'], '--env: expected NAME=value'],
    [['--server', everything, '--tasks', '0'], '--tasks: expected a whole number'],
  ])('writes nothing if it cannot: %j', async (args, message) => {
    const cwd = await folder();
    const { exitCode, stdout, stderr } = await init(cwd, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('does not let a hostile server into the files or the terminal', async () => {
    const cwd = await folder();
    const server = `${process.execPath} ${serverProgram('hostile-stdio-server.mjs')}`;
    const { exitCode, stdout, stderr } = await init(cwd, '-y', '--server', server);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what this is about.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const { exitCode: valid } = await proctor(['validate', 'evals/eval.yaml'], { cwd });
    expect(valid).toBe(0);
  });
});

describe('proctor init with a URL', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startEverything('streamableHttp');
  });
  afterAll(() => server.stop());

  it('writes a suite that passes, with its headers', async () => {
    const cwd = await folder();
    const env = { TOKEN: 'swordfish-123' };
    const header = ['--header', 'Authorization: Bearer ${TOKEN}'];
    const made = await proctor(['init', '-y', '--server', server.url, ...header], { cwd, env });
    expect(made.exitCode).toBe(0);
    const config = await readFile(path.join(cwd, 'evals/mcp-config.yaml'), 'utf8');
    expect(config).toContain('Bearer ${TOKEN}');
    expect(config).not.toContain('swordfish');
    const { exitCode } = await proctor(['check', 'evals/eval.yaml'], { cwd, env });
    expect(exitCode).toBe(0);
  });
});

describe('proctor init with a credential in a header', () => {
  it('writes a variable in its place, and says which one to set', async ({ onTestFinished }) => {
    const server = await startEverything('streamableHttp');
    onTestFinished(() => server.stop());
    const cwd = await folder();
    const headers = ['Authorization: Bearer swordfish-123', 'X-Api-Key: swordfish-456', 'X-A: b'];
    const given = headers.flatMap((header) => ['--header', header]);
    const { exitCode, stdout, stderr } = await init(cwd, '-y', '--server', server.url, ...given);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'Set before you run it (secrets are not saved): AUTHORIZATION, X_API_KEY\n',
    );
    const config = await readFile(path.join(cwd, 'evals/mcp-config.yaml'), 'utf8');
    expect(config + stdout + stderr).not.toContain('swordfish');
    const { mcpServers } = parse(config);
    const [written] = Object.values(mcpServers) as { headers: object }[];
    expect(written?.headers).toEqual({
      Authorization: 'Bearer ${AUTHORIZATION}',
      'X-Api-Key': '${X_API_KEY}',
      'X-A': 'b',
    });
  });
});

describe('proctor init in a terminal', () => {
  const answering = (cwd: string, answers: [question: string, answer: string][]) =>
    answerInTerminal(['init'], answers, cwd);

  it('asks what it needs to know', async () => {
    const cwd = await folder();
    const { exitCode, seen } = await answering(cwd, [
      ['command line, or URL', `${everything}\r`],
      ['Agent:', '\r'],
      ['Folder', 'suite\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(seen).toContain('proctor check suite/eval.yaml');
    const { stdout } = await promisify(execFile)('ls', [path.join(cwd, 'suite')]);
    expect(stdout).toContain('eval.yaml');
  });

  it('asks again for an agent that there is not', async () => {
    const cwd = await folder();
    const { exitCode, seen } = await answering(cwd, [
      ['command line, or URL', '\r'],
      ['An answer is needed.', 'A=1 node server.js\r'],
      ['set with --env', `${everything}\r`],
      ['Agent:', 'gpt\r'],
      ['builtin agents:', 'scripted\r'],
      ['Folder', 'suite\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(seen).toContain('gpt is neither');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('ends at %s, and writes nothing', async (_name, key) => {
    const cwd = await folder();
    const { exitCode } = await answering(cwd, [['command line, or URL', key]]);
    expect(exitCode).toBe(130);
    expect(await readdir(cwd)).toEqual([]);
  });
});
