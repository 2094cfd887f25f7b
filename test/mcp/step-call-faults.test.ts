import { describe, expect, it } from 'vitest';
import {
  answerJson,
  type ReceivedRequest,
  ScriptedHttpServer,
} from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { startHarness } from '../support/harness-run.js';
import { startProxy } from '../support/recording-proxy.js';
import { stdioServer } from '../support/running-proxy.js';

const hostile = stdioServer('hostile-stdio-server.mjs');

const http = async (script: Parameters<typeof ScriptedHttpServer.listen>[0]) => {
  const server = await ScriptedHttpServer.listen(script);
  const data = { url: server.url, enableAllTools: true };
  return { server, run: startHarness('http', data, await startProxy()) };
};

describe('a server that dies', () => {
  it('within the call of a step has given no answer, and is started again for the next', async () => {
    const run = startHarness('stdio', hostile, await startProxy());
    const pid = await run.text('pid');
    const outcome = await run.call('exit', { code: 7 });
    expect(outcome).toMatchObject({ isLost: true });
    expect(outcome.text).toBe('the server "server" exited with code 7');
    expect(await run.text('pid')).not.toBe(pid);
    await run.close();
    expect(run.calls.find(({ name }) => name === 'exit')).toMatchObject({
      by: 'harness',
      isError: true,
    });
    expect(run.warnings).toMatchObject([{ code: 'server-exited', taskRun: 'run' }]);
  });

  it('between two calls is started again', async () => {
    const run = startHarness('stdio', hostile, await startProxy());
    expect(await run.text('answer-and-exit')).toBe('goodbye');
    while (run.warnings.length === 0) await new Promise(setImmediate);
    expect(await run.text('echo', { text: 'again' })).toBe('again');
  });

  it('while agent and step use it is warned of once', async () => {
    const run = startHarness('stdio', hostile, await startProxy());
    const pid = Number(await run.text('pid'));
    const agent = await AgentSession.open(run.agentUrl);
    const waiting = agent.call('never');
    while ((await agent.text('unanswered')) !== '1');
    process.kill(pid, 'SIGKILL');
    await waiting;
    expect(run.warnings).toMatchObject([{ code: 'server-exited' }]);
  });
});

describe('a server that cannot be used', () => {
  it.each([
    ['exits', stdioServer('hostile-stdio-server.mjs', ['exits-at-once']), 'exited with code 3'],
    ['is no program', { command: '/nowhere/server' }, 'could not be started'],
    [
      'never answers',
      stdioServer('hostile-stdio-server.mjs', ['silent'], { startupTimeout: '100ms' }),
      'did not answer within 0.1 s of its start',
    ],
  ])('because it %s: the step is told why, and it was started once', async (_, data, reason) => {
    const run = startHarness('stdio', data, await startProxy());
    await expect(run.call('echo')).rejects.toThrow(reason);
    await run.close();
    expect(run.warnings).toHaveLength(1);
    await expect(run.call('echo')).rejects.toThrow('the task run is over');
  });

  it('because it refuses every request: the step is told what it said', async () => {
    const data = stdioServer('remembering-stdio-server.mjs', ['refuses']);
    const run = startHarness('stdio', data, await startProxy());
    await expect(run.call('echo')).rejects.toThrow(
      'the server "server" cannot be used: The server answered initialize with an error: No.',
    );
  });

  it('because there is none of that name', async () => {
    const { clients } = startHarness('stdio', hostile, await startProxy());
    const { signal } = new AbortController();
    await expect(clients.callTool('other', 'echo', {}, signal)).rejects.toThrow('"other"');
  });

  it('because nobody listens at its address', async () => {
    const { server, run } = await http({});
    server.close();
    await expect(run.call('echo')).rejects.toThrow('connection refused');
    expect(run.warnings).toHaveLength(1);
  });
});

describe('a call that is called off', () => {
  it('ends at once, and the server is told', async () => {
    const run = startHarness('stdio', hostile, await startProxy());
    await run.text('pid');
    const stop = new AbortController();
    const call = run.call('never', {}, stop.signal);
    while ((await run.text('unanswered')) !== '1');
    stop.abort();
    await expect(call).rejects.toThrow('The request was cancelled.');
    // The session is still good.
    expect(await run.text('echo', { text: 'next' })).toBe('next');
    await run.close();
    expect(run.calls.find(({ name }) => name === 'never')).toMatchObject({ cancelled: true });
    const sent = run.messages.filter(({ message }) => message.text.includes('/cancelled'));
    expect(sent).toMatchObject([{ by: 'harness', direction: 'to-server' }]);
  });

  it('ends at once while the server starts, and the next one gets through', async () => {
    const held: ReceivedRequest[] = [];
    const { server, run } = await http({
      'POST initialize': (request) => {
        if (held.push(request) > 1) introduce(request);
      },
      'POST tools/call': ({ id, response }) => answerJson(response, textAnswer(id, 'done')),
    });
    const stop = new AbortController();
    const call = run.call('echo', {}, stop.signal);
    await server.request('POST initialize');
    stop.abort();
    await expect(call).rejects.toThrow('The request was cancelled.');
    expect(await run.text('echo')).toBe('done');
  });
});

it('records what a step has still under way when the task run ends', async () => {
  const run = startHarness('stdio', hostile, await startProxy());
  await run.text('pid');
  const call = run.call('never').catch(() => {});
  while ((await run.text('unanswered')) !== '1');
  await run.proxied.endAgent();
  expect(run.calls.filter(({ unfinished }) => unfinished)).toEqual([]);
  await run.proxied.close();
  expect(run.calls.find(({ name }) => name === 'never')).toMatchObject({
    by: 'harness',
    unfinished: true,
  });
  await call;
});

describe('a server over HTTP', () => {
  it.each([404, 400])(
    'that has forgotten the session (%i) is asked again in a new one',
    async (status) => {
      let calls = 0;
      const { server, run } = await http({
        'POST tools/call': ({ id, response }) => {
          calls += 1;
          if (calls === 2) answerJson(response, refusal(id), status);
          else answerJson(response, textAnswer(id, `call ${calls}`));
        },
      });
      expect(await run.text('echo')).toBe('call 1');
      expect(await run.text('echo')).toBe('call 3');
      expect(server.names.filter((name) => name === 'POST initialize')).toHaveLength(2);
    },
  );

  it('that forgets every session has given no answer', async () => {
    const { run } = await http({
      'POST tools/call': ({ id, response }) => answerJson(response, refusal(id), 404),
    });
    expect(await run.call('echo')).toMatchObject({ isLost: true, text: 'No valid session' });
  });

  it('that says of the request itself what is wrong (400) is asked once', async () => {
    let calls = 0;
    const error = { code: -32602, message: 'no such city' };
    const { run } = await http({
      'POST tools/call': ({ id, response }) => {
        calls += 1;
        answerJson(response, { jsonrpc: '2.0', id, error }, 400);
      },
    });
    const outcome = await run.call('echo');
    expect(outcome).toMatchObject({ isError: true, error });
    expect(outcome).not.toHaveProperty('isLost');
    expect(calls).toBe(1);
  });

  it.each([500, 401])('that answers with HTTP %i has given no answer', async (status) => {
    const { run } = await http({
      'POST tools/call': ({ response }) => response.writeHead(status).end('trouble'),
    });
    expect(await run.call('echo')).toMatchObject({ isLost: true });
  });

  it('that closes the connection has given no answer', async () => {
    const { run } = await http({ 'POST tools/call': ({ response }) => response.destroy() });
    expect(await run.call('echo')).toMatchObject({ isLost: true });
  });

  it('that answers with an error of JSON-RPC has given one, whatever its code', async () => {
    const { run } = await http({
      'POST tools/call': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32000, message: 'full' } }),
    });
    const outcome = await run.call('echo');
    expect(outcome).toMatchObject({ isError: true, error: { code: -32000, message: 'full' } });
    expect(outcome).not.toHaveProperty('isLost');
  });
});

function introduce({ id, response }: ReceivedRequest): void {
  response.setHeader('mcp-session-id', 'session-1');
  answerJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } });
}

function textAnswer(id: unknown, text: string) {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

function refusal(id: unknown) {
  return { jsonrpc: '2.0', id, error: { code: -32000, message: 'No valid session' } };
}
