import { appendFile, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { AgentSession } from '../support/agent-session.js';
import { type OwnBrowser, startBrowser } from '../support/browser.js';
import { examples, proctor } from '../support/cli.js';
import { answerInTerminal } from '../support/in-terminal.js';
import { everythingProgram } from '../support/mcp-servers.js';
import { OpenReport, textOf } from '../support/report-in-browser.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const token = 'sh0p-t0ken-4711-xyz';
const document = 'demo://resource/static/document/architecture.md';
const everything = { command: process.execPath, args: [everythingProgram, 'stdio'] };

/** Of the shop in the quickstart; its stock is in a file of the test. */
const inventory = (file: string) => ({
  command: process.execPath,
  args: ['server.mjs', file],
  cwd: path.join(examples, 'quickstart'),
  alwaysAllow: ['list_items', 'find_items', 'add_item'],
  env: { SHOP_TOKEN: '${SHOP_TOKEN}', API_KEY: 'k3y' },
});

let folder = '';
let record = '';

/** Two sessions with several servers: one with mistakes, and one with a secret in an argument. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('homeFolder'), 'recordings-'));
  const servers = {
    shop: inventory(path.join(folder, 'stock.json')),
    every: everything,
    faulty: stdioServer('faulty-answers-server.mjs'),
  };
  const proxy = await RunningProxy.startShared(servers, { env: { SHOP_TOKEN: token } });
  const first = await AgentSession.open(proxy.url('shop'));
  const other = await AgentSession.open(proxy.url('every'));
  const faulty = await AgentSession.open(proxy.url('faulty'));
  for (const session of [first, other, faulty]) await session.request('tools/list');
  await first.text('list_items');
  await first.call('add_item', { args: { nope: 1 } });
  await first.text('add_item', { name: 'Rope', quantity: 3, shelf: 'B' });
  await first.call('clear_inventory');
  await faulty.text('error-as-text');
  await other.request('resources/read', { uri: document });
  const second = await AgentSession.open(proxy.url('shop'));
  const third = await AgentSession.open(proxy.url('every'));
  await second.text('find_items', { text: 'Rope' });
  await third.text('echo', { message: `the token is ${token}` });
  await proxy.stop();
  record = path.join(folder, 'record.jsonl');
  await writeFile(record, await readFile(proxy.journalFile));
  await proxy.end();
});

const run = (...args: string[]) => proctor(args, { cwd: folder });

describe('a recording of proctor proxy', () => {
  it('says how its servers are reached, without secrets', async () => {
    const [first = ''] = (await readFile(record, 'utf8')).split('\n');
    const [shop, every] = JSON.parse(first).mcpServers;
    expect(shop.config).toMatchObject({
      command: process.execPath,
      args: ['server.mjs', path.join(folder, 'stock.json')],
      cwd: path.join(examples, 'quickstart'),
      env: { SHOP_TOKEN: '${SHOP_TOKEN}', API_KEY: '[redacted:API_KEY]' },
    });
    expect(every.config).toMatchObject(everything);
  });

  it('is viewed session by session, with calls numbered from 1, and without a verdict', async () => {
    const { exitCode, stdout } = await run('view', 'record.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^record\.jsonl {2}proxy recording/);
    expect(stdout).toMatch(/3 servers: shop \(stdio, inventory [\d.]+, 7 tools\); every/);
    const [, one = '', two = ''] = stdout.split(/^(?=.*session \d {2}recorded)/m);
    expect(one).toMatch(/session 1 {2}recorded/);
    expect(one).toMatch(/6 calls, 2 failed, 1 looks like an error/);
    expect(one).toMatch(/calls {3}shop\.list_items {2}ok {2}#1/);
    expect(one).toMatch(/shop\.add_item {2}error {2}#2.*\n +\{"nope":1\}\n +! Input validation/);
    expect(one).toMatch(/shop\.clear_inventory {2}blocked {2}#4/);
    expect(one).toMatch(/faulty\.error-as-text {2}suspect {2}#5/);
    expect(one).toMatch(/every resource demo:.* {2}ok {2}#6/);
    expect(two).toMatch(/shop\.find_items {2}ok {2}#1/);
    expect(two).toContain('[redacted:SHOP_TOKEN]');
    expect(stdout).not.toMatch(/passed|under way|task run/);
  });

  it('is viewed in part, and as data without an outcome', async () => {
    const { stdout } = await run('view', 'record.jsonl', '--task', 'session 2', '-o', 'json');
    const [session, ...others] = JSON.parse(stdout);
    expect(others).toEqual([]);
    expect(session).toMatchObject({ task: 'session 2', outcome: null, verified: null });
    expect(
      session.calls.map(({ call, name }: { call: number; name: string }) => [call, name]),
    ).toEqual([
      [1, 'find_items'],
      [2, 'echo'],
    ]);
    expect(await run('view', 'record.jsonl', '--task', 'session 9')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no session matches'),
    });
  });

  it('is summed up by what was called', async () => {
    const { exitCode, stdout } = await run('summary', 'record.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 sessions, 8 calls (1 failed, 1 looks like an error, 1 blocked)');
    expect(stdout).toMatch(/^shop\.add_item +2 +1 /m);
    expect(stdout).toContain('A recording has no verdict');
    expect(stdout).not.toContain('pass rate');
    const data = JSON.parse((await run('summary', 'record.jsonl', '-o', 'json')).stdout);
    expect(data.totals).toMatchObject({ calls: 8, failed: 1, suspected: 1, blocked: 1 });
    expect(data).not.toHaveProperty('totals.rate');
    const markdown = await run('summary', 'record.jsonl', '-o', 'markdown');
    expect(markdown.stdout).toMatch(/^\| `shop\.add_item` \| 2 \| 1 \|/m);
  });

  it('has an analysis of its tools', async () => {
    const { exitCode, stdout } = await run('result', 'tools', 'record.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^shop\n {2}7 tools, available in 2 sessions/m);
    expect(stdout).toContain('Offered and never used');
    expect(stdout).toContain('Tools by session');
    expect(stdout).not.toContain('task run');
    const { stdout: json } = await run('result', 'tools', 'record.jsonl', '-o', 'json');
    const { tools, recorded } = JSON.parse(json);
    expect(recorded).toBe(true);
    const suspect = tools.find(({ tool }: { tool: string }) => tool === 'error-as-text');
    expect(suspect).toMatchObject({ calls: 1, errors: 0, suspected: 1 });
    // Not allowed, so nobody could use it.
    const removing = tools.find(({ tool }: { tool: string }) => tool === 'remove_item');
    expect(removing).toMatchObject({ offered: true, allowed: false, calls: 0 });
  });

  it.each([
    [['verify', '--task', '0.5', 'record.jsonl']],
    [['diff', '--base', 'record.jsonl', '--current', 'record.jsonl']],
    [['result', 'merge', 'record.jsonl', '--out', 'merged.json']],
    [['result', 'compare', 'record.jsonl']],
    [['result', 'convert', 'junit', 'record.jsonl']],
  ])('is refused by what needs verdicts: %s', async (args) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect(stderr).toContain('record.jsonl is a proxy recording, not the results of a check');
    expect(stderr).toContain('proctor view, summary, report, result tools and recheck can read it');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it.each([
    [['view', '--failed']],
    [['summary', '--github-output']],
    [['result', 'tools', '--variant', 'x']],
  ])('refuses options that need verdicts: %s', async (args) => {
    const { exitCode, stderr } = await run(...args, 'record.jsonl');
    expect(stderr).toContain('is for results: a recording has no verdicts');
    expect(exitCode).toBe(2);
  });

  it('is not mixed with results', async () => {
    await proctor(
      ['check', path.join(examples, 'quickstart/eval.yaml'), '-r', 'honey', '--out', 'out.json'],
      {
        cwd: folder,
      },
    );
    for (const command of [['view'], ['summary'], ['report'], ['result', 'tools']]) {
      const { exitCode, stderr } = await run(...command, 'record.jsonl', 'out.json');
      expect(stderr).toContain('look at recordings and results apart');
      expect(exitCode).toBe(2);
    }
  });

  it('can be one of several', async () => {
    await writeFile(path.join(folder, 'other.jsonl'), await readFile(record));
    const { stdout } = await run('summary', 'record.jsonl', 'other.jsonl');
    expect(stdout).toContain('4 sessions, 16 calls');
    expect(stdout).toContain('other.jsonl: session 2');
  });
});

describe('a recording that is not whole', () => {
  const lines = async () => (await readFile(record, 'utf8')).trimEnd().split('\n');
  const write = async (name: string, content: readonly string[]) => {
    await writeFile(path.join(folder, name), content.map((line) => `${line}\n`).join(''));
  };

  it('can be read while it grows, and after its proxy was killed', async () => {
    const proxy = await RunningProxy.start({ every: everything });
    const agent = await AgentSession.open(proxy.url('every'));
    await agent.text('echo', { message: 'one' });
    await proxy.shown('echo');
    const view = () => proctor(['view', proxy.journalFile], { cwd: folder });
    // What is shown is handed to the file a moment later.
    const isWritten = async () =>
      (await readFile(proxy.journalFile, 'utf8')).includes('Echo: one"}]},"isError"');
    while (!(await isWritten()));
    const growing = await view();
    expect(growing.stdout).toContain('the proxy is still recording, or was killed');
    expect(growing.stdout).toMatch(/every\.echo {2}ok {2}#1/);
    proxy.signal('SIGKILL');
    // The line that it was about to write.
    await appendFile(proxy.journalFile, '{"seq":99,"at":"2026-');
    const killed = await view();
    expect(killed.stdout).toMatch(/every\.echo {2}ok {2}#1/);
    expect(killed).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('that has no call yet is not taken for nothing', async () => {
    const [first = ''] = await lines();
    await write('empty.jsonl', [first]);
    const { exitCode, stderr } = await run('view', 'empty.jsonl');
    expect(stderr).toContain('no agent has called anything yet');
    expect(exitCode).toBe(2);
  });

  it('is known as one without its first line, and says what was left out', async () => {
    const [, ...rest] = await lines();
    const broken = rest.map((line) =>
      line.includes('"name":"find_items"') && line.includes('mcp-call') ? '{' : line,
    );
    await write('broken.jsonl', ['\u0000\u0000', ...broken]);
    const { exitCode, stdout, stderr } = await run('view', 'broken.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/shop\.list_items {2}ok {2}#1/);
    expect(stdout).not.toContain('find_items');
    expect(stderr).toContain('3 parts left out');
    const refused = await run('verify', '--task', '0.5', 'broken.jsonl');
    expect(refused.stderr).toContain('is a proxy recording');
    const initiated = await run('init', '--from', 'broken.jsonl', '-y', 'no-servers');
    expect(initiated.stderr).toContain('does not say how its server "shop" is started or reached');
  });
});

describe('proctor report of a recording', () => {
  let own: OwnBrowser;

  beforeAll(async () => {
    own = await startBrowser();
  });

  afterAll(() => own.close());

  it('shows sessions, calls, timelines and tools, and nothing that passed or failed', async () => {
    const { exitCode, stdout } = await run('report', 'record.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('record.html (2 sessions, ');
    expect((await stat(path.join(folder, 'record.html'))).mode & 0o777).toBe(0o600);
    const report = await OpenReport.open(own.browser, path.join(folder, 'record.html'));
    const { page } = report;
    const overview = await textOf(page.locator('main'));
    expect(overview).toContain('recorded, not judged');
    expect(overview).toContain('blocked by alwaysAllow');
    expect(overview).not.toMatch(/pass rate|passed|task run|cancelled|timeout/i);
    await page
      .getByRole('table', { name: 'Sessions' })
      .getByRole('link', { name: 'session 1' })
      .click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    const session = await textOf(page.locator('.task-run'));
    expect(session).toContain('shop.list_items');
    expect(session).toContain('suspected error');
    expect(session).not.toMatch(/passed|verdict|assertion|final answer/i);
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('heading', { name: 'Worth a look' }).waitFor();
    const tools = await textOf(page.locator('main'));
    expect(tools).toContain('in 2 sessions');
    expect(tools).not.toMatch(/task run/i);
    expect(await report.complaints()).toEqual([]);
  });
});

describe('proctor init --from', () => {
  const env = { SHOP_TOKEN: token, API_KEY: 'k3y' };
  const prompts = ['--prompt', 'Please put 3 ropes on a shelf.', '--prompt', 'Do we have rope?'];
  const init = (...args: string[]) => run('init', '--from', 'record.jsonl', '-y', ...args);
  const yaml = async (...parts: string[]) =>
    parse(await readFile(path.join(folder, ...parts), 'utf8'));

  it('writes a suite of what went well, which validates and passes against the servers', async () => {
    const { exitCode, stdout, stderr } = await init('suite', ...prompts);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    // After what users want, and never after a tool.
    expect(await readdir(path.join(folder, 'suite/tasks'))).toEqual([
      'do-we-have-rope.yaml',
      'put-3-ropes-on-shelf.yaml',
    ]);
    const { spec } = await yaml('suite/tasks/put-3-ropes-on-shelf.yaml');
    expect(spec.prompt.inline).toBe('Please put 3 ropes on a shelf.');
    expect(spec.assertions).toEqual({
      toolsUsed: [
        { server: 'shop', tool: 'list_items' },
        { server: 'shop', tool: 'add_item' },
      ],
      resourcesRead: [{ server: 'every', uri: document }],
      callOrder: [
        { type: 'tool', server: 'shop', name: 'list_items' },
        { type: 'tool', server: 'shop', name: 'add_item' },
        { type: 'resource', server: 'every', name: document },
      ],
    });
    const { scripted } = await yaml('suite/agent.yaml');
    expect(scripted[0]).toEqual({
      task: 'put-3-ropes-on-shelf',
      do: [
        { call: { server: 'shop', tool: 'list_items' } },
        {
          call: {
            server: 'shop',
            tool: 'add_item',
            args: { name: 'Rope', quantity: 3, shelf: 'B' },
          },
        },
        { read: { server: 'every', uri: document } },
        { say: 'Done.' },
      ],
    });
    expect(stdout).toContain('1 call (failed), 1 call (blocked), 1 call (looks like an error)');
    expect(stdout).toContain('these tools may change something: shop.add_item');
    expect(stdout).toContain('the recording has no secrets: every.echo (SHOP_TOKEN)');
    expect(stdout).toMatch(/Folders that servers were started in are not here.* of every/);
    expect(stdout).toContain('Set before you run it (secrets are not saved): API_KEY, SHOP_TOKEN');

    const { mcpServers } = await yaml('suite/mcp-config.yaml');
    expect(mcpServers.shop).toMatchObject({
      args: ['server.mjs', path.join(folder, 'stock.json')],
      env: { SHOP_TOKEN: '${SHOP_TOKEN}', API_KEY: '${API_KEY}' },
      alwaysAllow: ['list_items', 'find_items', 'add_item'],
    });
    const here = { cwd: folder, env };
    const validated = await proctor(['validate', '--strict', '--connect', 'suite/eval.yaml'], here);
    expect(validated).toMatchObject({ exitCode: 0, stderr: '' });
    const checked = await proctor(['check', 'suite/eval.yaml'], here);
    expect(checked.stdout).toContain('2: 2 passed');
    expect(checked.exitCode).toBe(0);
  });

  it('leaves an unknown prompt empty, and the suite is refused until it is written', async () => {
    const { exitCode, stdout, stderr } = await init('unwritten', '--session', '2');
    expect(exitCode).toBe(0);
    const missing = 'Write what the user asked into these, until then the suite is not valid';
    expect(stdout).toContain(`${missing}: tasks/session-2.yaml`);
    expect(stderr).toContain('the prompt is empty');
    const checked = await proctor(['check', 'unwritten/eval.yaml'], { cwd: folder, env });
    expect(checked.stderr).toContain('the prompt is empty');
    expect(checked.exitCode).toBe(2);
  });

  it('asks in a terminal what the user wanted', async () => {
    const { exitCode, seen } = await answerInTerminal(
      ['init', '--from', 'record.jsonl'],
      [
        ['What did the user ask in session 1 (list_items, add_item', '\r'],
        ['session 2 (find_items, echo)', 'Do we have rope?\r'],
        ['Agent:', '\r'],
        ['Folder', 'asked\r'],
      ],
      folder,
    );
    expect(exitCode).toBe(0);
    expect(seen).toContain('tasks/session-1.yaml');
    const { spec } = await yaml('asked/tasks/do-we-have-rope.yaml');
    expect(spec.prompt.inline).toBe('Do we have rope?');
  });

  it('takes the servers that are given, and not those of the recording', async () => {
    const faulty = stdioServer('faulty-answers-server.mjs');
    const mcpServers = { shop: inventory('given-stock.json'), every: everything, faulty };
    await writeFile(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
    await init('given', ...prompts, '--mcp-config-file', 'mcp.json');
    expect((await yaml('given/eval.yaml')).config.mcpConfigFile).toBe('../mcp.json');
    expect(await readdir(path.join(folder, 'given'))).not.toContain('mcp-config.yaml');
    const { stderr } = await init('one', ...prompts, '--server', 'node server.js');
    expect(stderr).toContain('--server is for one server, and the recording has 3');
  });

  it.each([
    [['--from', 'given.json'], 'given.json is not a recording'],
    [['--from', 'missing.jsonl'], 'missing.jsonl does not exist'],
    [['--from', 'record.jsonl', '--session', '7'], '--session: there is no session 7'],
    [
      ['--from', 'record.jsonl', ...prompts, '--prompt', 'Three?'],
      '--prompt was given 3 times, for 2 sessions',
    ],
    [['--prompt', 'What?', '--server', 'node x.js'], '--prompt goes with --from'],
  ])('refuses %s', async (args, message) => {
    await writeFile(path.join(folder, 'given.json'), '{"mcpServers":{}}');
    const { exitCode, stderr } = await run('init', '-y', 'refused', ...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  const writeChanged = async (name: string, from: string, change: (line: string) => string) => {
    const lines = (await readFile(from, 'utf8')).split('\n');
    await writeFile(path.join(folder, name), lines.map(change).join('\n'));
  };

  it('asks for nothing whose name is a secret, and for no secret as a default', async () => {
    const secretDocument = 'demo://[redacted:SHOP_TOKEN]/architecture.md';
    await writeChanged('secret.jsonl', record, (line) =>
      line
        .replaceAll(document, secretDocument)
        .replace('"${SHOP_TOKEN}"', '"a-${SOME_KEY:-[redacted:api-key]}"'),
    );
    for (const agent of ['scripted', 'claude-code']) {
      const args = ['--from', 'secret.jsonl', '-y', agent, ...prompts, '--agent', agent];
      const { exitCode, stdout, stderr } = await run('init', ...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const missing = 'Not in the assertions, as the recording has no secrets';
      expect(stdout).toContain(`${missing}: resource ${secretDocument} of every`);
      expect(stdout).toMatch(/Set before you run it .*: API_KEY, SOME_KEY$/m);
      const { spec } = await yaml(agent, 'tasks/put-3-ropes-on-shelf.yaml');
      expect(spec.assertions).toEqual({
        toolsUsed: [
          { server: 'shop', tool: 'list_items' },
          { server: 'shop', tool: 'add_item' },
        ],
        callOrder: [
          { type: 'tool', server: 'shop', name: 'list_items' },
          { type: 'tool', server: 'shop', name: 'add_item' },
        ],
      });
      const { mcpServers } = await yaml(agent, 'mcp-config.yaml');
      expect(mcpServers.shop.env.SHOP_TOKEN).toBe('a-${SOME_KEY}');
    }
  });

  it('knows sessions by their numbers, and servers without what is written out', async () => {
    const servers = {
      every: {
        ...everything,
        args: [...everything.args, '--password', 'hunt2', '--token=abc12', '--key=pw-${REGION}'],
        env: { API_KEY: 'literal1-${REGION}', DB_PASSWORD: '${DB_PASSWORD:-default123}' },
      },
      web: {
        url: 'http://me:pw1@127.0.0.1:9/mcp?api_key=abc123',
        headers: { Authorization: 'Bearer ${TOK:-literal2}', 'X-Api-Key': 'k-${REGION}-literal3' },
      },
    };
    const given = { REGION: 'eu', DB_PASSWORD: 'of-today-4711', TOK: 'of-today-4712' };
    const proxy = await RunningProxy.start(servers, { env: given });
    const first = await AgentSession.open(proxy.url('every'));
    await first.text('echo', { message: 'first' });
    const second = await AgentSession.open(proxy.url('every'));
    await second.text('echo', { message: 'second' });
    await first.text('echo', { message: 'last' });
    await proxy.stop();
    const sameTime = (line: string) =>
      line.replace(/"startedAt":"[^"]*"/, '"startedAt":"2026-01-01T00:00:00.000Z"');
    await writeChanged('same-time.jsonl', proxy.journalFile, sameTime);
    const asked = ['--prompt', 'One.', '--prompt', 'Two.'];
    const { exitCode } = await run(
      'init',
      '--from',
      'same-time.jsonl',
      '-y',
      'same-time',
      ...asked,
    );
    expect(exitCode).toBe(0);
    const { scripted } = await yaml('same-time/agent.yaml');
    expect(
      scripted.map(({ task, do: actions }: { task: string; do: object[] }) => [task, actions[0]]),
    ).toMatchObject([
      ['one', { call: { args: { message: 'first' } } }],
      ['two', { call: { args: { message: 'second' } } }],
    ]);

    const literals = /hunt2|abc12|pw-|pw1|literal|default123|of-today/;
    expect(await readFile(proxy.journalFile, 'utf8')).not.toMatch(literals);
    const { mcpServers } = await yaml('same-time/mcp-config.yaml');
    expect(mcpServers).toMatchObject({
      every: {
        args: [...everything.args, '--password', '${PASSWORD}', '--token=${TOKEN}', '--key=${KEY}'],
        env: { API_KEY: '${API_KEY}', DB_PASSWORD: '${DB_PASSWORD}' },
      },
      web: {
        url: 'http://me:${TOKEN}@127.0.0.1:9/mcp?api_key=${API_KEY}',
        headers: { Authorization: 'Bearer ${TOK}', 'X-Api-Key': '${X_API_KEY}' },
      },
    });
  });

  it('makes assertions that recheck evaluates over the sessions', async () => {
    await init('rechecked', ...prompts);
    const recheck = (...args: string[]) =>
      proctor(['recheck', 'record.jsonl', '--eval', 'rechecked/eval.yaml', ...args], {
        cwd: folder,
        env,
      });
    const unclear = await recheck();
    expect(unclear.stderr).toContain('a recording does not say which task its sessions were about');
    expect(unclear.exitCode).toBe(2);
    const { exitCode, stdout } = await recheck('-r', 'do-we-have', '-o', 'json');
    const { taskRuns } = JSON.parse(stdout);
    const held = taskRuns.map(
      ({
        run: session,
        assertions,
      }: {
        run: number;
        assertions: { name: string; passed: boolean }[];
      }) => [session, assertions.find(({ name }) => name === 'toolsUsed')?.passed],
    );
    expect(held).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(exitCode).toBe(1);
  });
});
