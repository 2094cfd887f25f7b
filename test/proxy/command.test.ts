import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AgentSession } from '../support/agent-session.js';
import { proctor } from '../support/cli.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const plain = (more: object = {}) => stdioServer('plain-server.mjs', ['--stdio'], more);

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-proxy-command-'));
  const mcpServers = { notes: plain(), other: plain({ disabled: true }) };
  await writeFile(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  await writeFile(path.join(folder, 'broken.json'), '{"mcpServers": {"a": {"comand": "x"}}}');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const proxy = (...args: string[]) => proctor(['proxy', ...args], { cwd: folder });

describe('proctor proxy that cannot start', () => {
  const config = ['--mcp-config-file', 'mcp.json'];

  it.each([
    ['no config', [], 'there is no server to record'],
    ['a file that is not there', ['--mcp-config-file', 'nope.json'], 'nope.json does not exist'],
    ['a broken file', ['--mcp-config-file', 'broken.json'], 'broken.json:1:17'],
    ['an unknown server', [...config, '--server', 'note'], 'did you mean notes?'],
    ['a disabled server', [...config, '--server', 'other'], '"other" is disabled'],
    ['no number as port', [...config, '--port', 'http'], '--port: expected a number'],
    ['a folder as record', [...config, '--out', '.'], 'it is a folder'],
    ['a record in no folder', [...config, '--out', 'no/x.jsonl'], 'its folder does not exist'],
    ['a config in no folder', [...config, '--write-config', 'no/x.json'], 'cannot write no/x.json'],
    ['an argument', [...config, 'mcp.json'], 'too many arguments'],
  ])('says so: %s', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await proxy(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  it('says so: a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { exitCode, stderr } = await proxy(...config, '--port', String(port));
    taken.close();
    expect(stderr).toContain(`the port ${port} is in use`);
    expect(exitCode).toBe(2);
  });

  it('leaves no file of a record that was not begun', async () => {
    const before = await readdir(folder);
    await proxy(...config, '--write-config', 'no/x.json');
    expect(await readdir(folder)).toEqual(before);
  });

  it('ends when the record cannot be written any more', async () => {
    const { exitCode, stderr } = await proxy(...config, '--out', '/dev/full');
    expect(stderr).toContain('cannot write the journal /dev/full: the disk is full');
    expect(exitCode).toBe(1);
  });
});

describe('proctor proxy', () => {
  it('shows calls as they end, without letting their text act, and sums them up', async () => {
    const running = await RunningProxy.start({ notes: plain(), spare: plain() });
    const agent = await AgentSession.open(running.url('notes'));
    await agent.text('note', { text: 'a' });
    await agent.call('\u001b[2Jevil\n');
    await running.shown('evil');
    const { exitCode, stdout, stderr } = await running.stop();
    expect(exitCode).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d {2}notes +[\d.]+ ms {2}ok +note$/m);
    expect(stderr).toMatch(/^notes +note +1 +0 +[\d.]+ ms +[\d.]+ ms +5 +\d+$/m);
    expect(stderr).toContain('\u241b[2Jevil\u240a');
    // Other requests are in the record, and shown with --verbose.
    expect(stderr).not.toContain('initialize');
    expect(stderr).toContain(`The record is in ${running.journalFile}`);
  });

  it('shows every request if asked to', async () => {
    const running = await RunningProxy.start({ notes: plain() }, { args: ['-v'] });
    await AgentSession.open(running.url('notes'));
    expect((await running.stop()).stderr).toMatch(/ok +initialize$/m);
  });

  it('writes addresses and traffic for the eyes of one user', async () => {
    const running = await RunningProxy.start({ notes: plain() });
    for (const file of [running.configFile, running.journalFile]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const block = JSON.parse(await readFile(running.configFile, 'utf8'));
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/notes$/);
    expect(block).toEqual({ mcpServers: { notes: { type: 'http', url } } });
  });

  it('writes addresses for nobody else, whatever lies in the folder', async () => {
    const config = path.join(folder, 'others.json');
    await writeFile(config, 'old', { mode: 0o666 });
    await chmod(config, 0o666);
    // Somebody who knows how drafts are called has made one for everybody to read.
    const prepared = ': > "$0.$$.tmp"; chmod 666 "$0.$$.tmp"; exec "$@"';
    const files = ['--mcp-config-file', 'mcp.json', '--write-config', config];
    // It ends by itself when the record cannot be written.
    const command = [testNode, proctorProgram, 'proxy', ...files, '--out', '/dev/full'];
    const env = { PATH: process.env.PATH ?? '', HOME: inject('homeFolder') };
    const child = spawn('sh', ['-c', prepared, config, ...command], { cwd: folder, env });
    child.stderr.resume();
    child.stdout.resume();
    await once(child, 'close');
    expect(await readFile(config, 'utf8')).toContain('127.0.0.1');
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    const drafts = (await readdir(folder)).filter((name) => name.startsWith('others.json.'));
    expect(drafts).toEqual([`others.json.${child.pid}.tmp`]);
  });

  it('lets every tool through if told so', async () => {
    const servers = { notes: plain({ enableAllTools: false }) };
    const blocked = await RunningProxy.start(servers);
    const agent = await AgentSession.open(blocked.url('notes'));
    expect(await agent.text('note')).toContain('is not allowed');
    expect((await blocked.stop()).stderr).toContain('server-allows-nothing');

    const allowed = await RunningProxy.start(servers, { args: ['--allow-all-tools'] });
    const other = await AgentSession.open(allowed.url('notes'));
    expect(await other.text('note')).toBe('{}');
    expect((await allowed.stop()).stderr).not.toContain('server-allows-nothing');
  });

  it('says that there were no calls', async () => {
    const running = await RunningProxy.start({ notes: plain() });
    const { stderr, events } = await running.stop();
    expect(stderr).toContain('No calls.');
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-ended']);
  });
});
