import { describe, expect, it } from 'vitest';
import { McpClient } from '../../src/mcp/mcp-client.js';
import { AgentSession, initialize } from '../support/agent-session.js';
import { type ProxyResult, RunningProxy, stdioServer } from '../support/running-proxy.js';

const hostile = (args: string[] = [], more: object = {}) =>
  stdioServer('hostile-stdio-server.mjs', args, more);

/** A proxy before a server that misbehaves, and another that has nothing to do with it. */
function startProxy(server: object): Promise<RunningProxy> {
  return RunningProxy.start({ hostile: server, other: hostile() });
}

/** Whatever happened to one server, the other one works. */
async function expectOthersUnaffected(proxy: RunningProxy): Promise<void> {
  const other = await AgentSession.open(proxy.url('other'));
  expect(await other.text('echo', { text: 'still here' })).toBe('still here');
}

async function expectNewSessionWorks(proxy: RunningProxy): Promise<void> {
  const session = await AgentSession.open(proxy.url('hostile'));
  expect(await session.text('echo', { text: 'anew' })).toBe('anew');
}

it('starts a server anew that does not survive the question for its era', async () => {
  const proxy = await startProxy(hostile(['exits-when-probed']));
  const client = await McpClient.connect(proxy.url('hostile'), { name: 'test' });
  expect(await client.callTool('echo', { text: 'alive' })).toMatchObject({ text: 'alive' });
  await client.close();
  const result = await stop(proxy);
  expect(warningsOf(result).map(({ code }) => code)).toEqual(['server-exited-when-probed']);
});

/** Ctrl-C ends everything, and the proxy itself had no trouble. */
async function stop(proxy: RunningProxy): Promise<ProxyResult> {
  const result = await proxy.stop();
  expect(result.exitCode).toBe(0);
  expect(await proxy.files()).toEqual(['agent.json', 'mcp.json', 'record.jsonl', 'tmp']);
  return result;
}

function warningsOf({ warnings }: ProxyResult) {
  return warnings.filter(({ server }) => server === 'hostile');
}

function callOf({ calls }: ProxyResult, tool: string) {
  const call = calls.find(({ name }) => name === tool);
  if (call === undefined) throw new Error(`no call of ${tool} was recorded`);
  return call;
}

/** When the server has so many calls that it never answers. */
async function untilUnanswered(session: AgentSession, count: number): Promise<void> {
  while ((await session.text('unanswered')) !== String(count));
}

/** Killed they all are by now; the system may need a moment to clear them away. */
async function expectGone(pids: number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a server that does not start', () => {
  it('exits: the agent is told, and the record has its last words', async () => {
    const proxy = await startProxy(hostile(['exits-at-once']));
    const { status, answer } = await initialize(proxy.url('hostile'));
    expect(status).toBe(200);
    const message = 'the server "hostile" exited with code 3';
    expect(answer).toMatchObject({ id: 0, error: { code: -32000, message } });
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    expect(warningsOf(result)).toEqual([
      expect.objectContaining({
        code: 'server-exited',
        message: `${message} with 1 request in flight`,
        details: 'loading settings\ncannot open the database: no such file',
      }),
    ]);
    expect(result.stderr).toContain('cannot open the database');
    expect(result.calls[0]).toMatchObject({ method: 'initialize', isError: true });
    expect(result.calls[0]?.error?.value).toMatchObject({ message });
  });

  it('is tried again for whoever asks next', async () => {
    const proxy = await startProxy(hostile(['exits-at-once']));
    await initialize(proxy.url('hostile'));
    expect((await initialize(proxy.url('hostile'))).answer?.error?.message).toContain('code 3');
    expect(warningsOf(await stop(proxy))).toHaveLength(2);
  });

  it.each([
    ['is not there', { command: 'no-such-program' }, 'command not found: no-such-program'],
    ['has a part of its path that is no folder', { command: '/dev/null/server' }, 'ENOTDIR'],
    ['may not be executed', { command: import.meta.filename }, 'EACCES'],
    ['would run in a folder that is not there', { cwd: '/no/such/folder' }, 'working directory'],
    ['would run in a file', { cwd: import.meta.filename }, 'working directory'],
    ['would run where no folder can be', { cwd: `/${'a'.repeat(300)}` }, 'working directory'],
    ['gets an argument that is too long', { args: ['x'.repeat(200_000)] }, 'E2BIG'],
    ['gets an argument that is none', { args: ['a\0b'] }, 'null bytes'],
    ['gets a variable that is none', { env: { A: 'a\0b' } }, 'null bytes'],
  ])('%s', async (_what, settings, reason) => {
    const proxy = await startProxy(hostile([], settings));
    const { status, answer } = await initialize(proxy.url('hostile'));
    expect(status).toBe(200);
    expect(answer).toMatchObject({ id: 0, error: { code: -32000 } });
    expect(answer?.error?.message).toContain('the server "hostile" could not be started: ');
    expect(answer?.error?.message).toContain(reason);
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    expect(warningsOf(result).map(({ code }) => code)).toEqual(['server-failed-to-start']);
  });

  it.each(['silent', 'broken'])('is %s, and its time runs out', async (mode) => {
    const proxy = await startProxy(hostile([mode], { startupTimeout: '300ms' }));
    const { status, answer } = await initialize(proxy.url('hostile'));
    expect(status).toBe(200);
    const message = 'the server "hostile" did not answer within 0.3 s of its start';
    expect(answer).toMatchObject({ id: 0, error: { code: -32000, message } });
    await expectOthersUnaffected(proxy);
    const last = warningsOf(await stop(proxy)).at(-1);
    const details = 'waiting for the database';
    expect(last).toMatchObject({ code: 'server-timeout', details });
  });
});

describe('a server that exits', () => {
  it('during a call: the call fails, the session is over, and a new one starts it anew', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const args = { lines: 30, last: 'disk full' };
    const { status, answer } = await session.call('exit', { args });
    expect(status).toBe(200);
    const message = 'the server "hostile" exited with code 4';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });

    const late = await session.call('echo', { args: { text: 'too late' } });
    expect(late.status).toBe(404);
    expect(late.answer).toMatchObject({ id: 2, error: { code: -32001 } });
    expect(late.answer?.error?.message).toContain(message);

    await expectNewSessionWorks(proxy);
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    const [warning] = warningsOf(result);
    expect(warning?.code).toBe('server-exited');
    expect(warning?.details?.split('\n')).toHaveLength(20);
    expect(warning?.details).toMatch(/working on part 30\ndisk full$/);
    expect(callOf(result, 'exit')).toMatchObject({ isError: true });
    expect(callOf(result, 'exit').error?.value).toMatchObject({ message });
  });

  it('with several calls in flight: all of them fail', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const never = [session.call('never'), session.call('never'), session.call('never')];
    await untilUnanswered(session, 3);
    await session.call('exit');
    for (const { answer } of await Promise.all(never)) {
      expect(answer?.error?.message).toContain('exited with code 4');
    }
    const result = await stop(proxy);
    expect(warningsOf(result)[0]?.message).toContain('with 4 requests in flight');
  });

  it('between calls', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    expect(await session.text('answer-and-exit')).toBe('goodbye');
    await proxy.shown('exited with code 5');
    const { status, answer } = await session.call('echo');
    expect(status).toBe(404);
    expect(answer?.error?.message).toContain('exited with code 5');
    await expectNewSessionWorks(proxy);
    const result = await stop(proxy);
    expect(callOf(result, 'answer-and-exit')).toMatchObject({ isError: false });
  });
});

describe('a server that does not answer', () => {
  it('leaves a call unfinished when everything ends', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const never = session.call('never', { args: { reason: 'none' } });
    await untilUnanswered(session, 1);
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    const call = callOf(result, 'never');
    expect(call).toMatchObject({ unfinished: true, isError: false });
    expect(call.args?.value).toEqual({ reason: 'none' });
    expect(result.stderr).toContain('unfinished');
    const reply = await never.catch((error: Error) => error);
    expect(reply instanceof Error || reply.answer?.error !== undefined).toBe(true);
  });

  it('does not read either: requests are refused before they fill the memory', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    await session.text('stop-reading');
    const text = 'x'.repeat(24 * 1024 * 1024);
    const calls = [1, 2, 3, 4].map(() => session.call('echo', { args: { text } }));
    const { status, answer } = await Promise.race(calls);
    expect(status).toBe(200);
    const message = 'the server "hostile" does not read its input';
    expect(answer).toMatchObject({ error: { code: -32000, message } });
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    await Promise.allSettled(calls);
    const echoes = result.calls.filter(
      ({ server, name }) => server === 'hostile' && name === 'echo',
    );
    expect(echoes.filter(({ unfinished }) => unfinished)).toHaveLength(3);
    expect(echoes.filter(({ isError }) => isError)).toHaveLength(1);
  });
});

describe('a server that says what it should not', () => {
  it.each([
    ['noise', 'answered', 'server-output-not-json', 4],
    ['unknown-id', 'answered', 'unknown-response', 2],
    ['twice', 'first', 'unknown-response', 1],
  ])('%s', async (tool, text, code, count) => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, messages } = await session.call(tool);
    expect(status).toBe(200);
    expect(messages).toEqual([
      expect.objectContaining({ id: 1, result: { content: [{ type: 'text', text }] } }),
    ]);
    expect(await session.text('echo', { text: 'goes on' })).toBe('goes on');
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    expect(warningsOf(result).map((warning) => warning.code)).toEqual(Array(count).fill(code));
    expect(warningsOf(result)[0]?.details).toBeTruthy();
    expect(result.calls.filter(({ name }) => name === tool)).toHaveLength(1);
    expect(callOf(result, tool).isError).toBe(false);
  });
});

describe('a server that says too much', () => {
  it('sends 200,000 notifications while a call is in flight', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const flood = session.call('flood', { args: { count: 200_000 } });
    await expectOthersUnaffected(proxy);
    const { messages } = await flood;
    expect(messages).toHaveLength(200_001);
    expect(messages[199_999]?.params).toMatchObject({ number: 200_000 });
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'flooded' }] } });
    await expectNewSessionWorks(proxy);
    const result = await stop(proxy);
    expect(warningsOf(result)).toEqual([]);
    expect(result.events.length).toBeGreaterThan(200_000);
  });

  it('sends a result of 50 MB', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const bytes = 50_000_000;
    const { answer } = await session.call('large', { args: { bytes } });
    const text = answer?.result?.content?.[0]?.text ?? '';
    expect(text.length).toBe(bytes);
    await expectOthersUnaffected(proxy);
    const result = await stop(proxy);
    expect(callOf(result, 'large')).toMatchObject({ isError: false });
    expect(callOf(result, 'large').result?.text.length).toBeGreaterThan(bytes);
  });
});

describe('a server that does not want to leave', () => {
  it('is ended by Ctrl-C together with what it started', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const pids: number[] = JSON.parse(await session.text('stay'));
    expect(pids.map(isAlive)).toEqual([true, true]);
    await stop(proxy);
    await expectGone(pids);
  });

  it('is ended by a second Ctrl-C at once', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const pids: number[] = JSON.parse(await session.text('stay'));
    proxy.signal('SIGTERM');
    const { exitCode } = await proxy.stop();
    expect(exitCode).toBe(130);
    await expectGone(pids);
  });

  it('leaves nothing when it dies, not even a child of its own', async () => {
    const proxy = await startProxy(hostile());
    const session = await AgentSession.open(proxy.url('hostile'));
    const pids: number[] = JSON.parse(await session.text('stay'));
    await session.call('exit');
    await stop(proxy);
    await expectGone(pids);
  });
});
