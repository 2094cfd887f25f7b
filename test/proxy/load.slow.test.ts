import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answerJson,
  event,
  ScriptedHttpServer,
  startStream,
} from '../../testing/scripted-http-server.js';
import { AgentSession, initialize } from '../support/agent-session.js';
import { mebibyte, memoryOf } from '../support/process-memory.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const works = stdioServer('hostile-stdio-server.mjs');

describe('a reader that stops reading', () => {
  it('holds the server back instead of filling the memory, and misses nothing', async () => {
    const proxy = await RunningProxy.start({ works, other: works });
    const session = await AgentSession.open(proxy.url('works'));
    const other = await AgentSession.open(proxy.url('other'));
    const stream = await session.stream();
    const count = 3000;
    const size = 100_000;
    const progressFile = path.join(proxy.folder, 'tmp', 'progress');
    await session.call('flood-later', { args: { count, size, progressFile } });

    const sent = await restOf(
      async () => Number(await readFile(progressFile, 'utf8').catch(() => 0)),
      () => other.text('echo', { text: 'works' }),
    );
    // Some is under way in the buffers of the system.
    expect(sent).toBeLessThan(count / 2);
    expect(await memoryOf(proxy.pid)).toBeLessThan(250 * mebibyte);

    const { bytes, last } = await readStream(stream, `"number":${count}}}\n\n`);
    expect(bytes).toBeGreaterThan(count * size);
    expect(last).toContain(`"number":${count}`);
    expect(await memoryOf(proxy.pid)).toBeLessThan(250 * mebibyte);
    expect(await session.text('echo', { text: 'goes on' })).toBe('goes on');
    stream.destroy();
  });

  it('holds an HTTP server back too', async () => {
    const count = 2000;
    let sent = 0;
    const server = await ScriptedHttpServer.listen({
      GET: async ({ response }) => {
        startStream(response);
        const params = { level: 'info', data: 'x'.repeat(100_000) };
        const note = event({ jsonrpc: '2.0', method: 'notifications/message', params });
        for (; sent < count; sent++) if (!response.write(note)) await once(response, 'drain');
        response.end();
      },
    });
    const http = { url: server.url, enableAllTools: true };
    const proxy = await RunningProxy.start({ http, works });
    const session = await AgentSession.open(proxy.url('http'));
    const other = await AgentSession.open(proxy.url('works'));
    const stream = await session.stream();
    await restOf(
      async () => sent,
      () => other.text('echo', { text: 'works' }),
    );
    expect(sent).toBeLessThan(count);
    expect(await memoryOf(proxy.pid)).toBeLessThan(250 * mebibyte);
    const { bytes } = await readStream(stream);
    expect(bytes).toBeGreaterThan(count * 100_000);
    expect(await memoryOf(proxy.pid)).toBeLessThan(250 * mebibyte);
  });

  it('is waited for as often as it takes, and nothing is left of it', async () => {
    const count = 300;
    const server = await ScriptedHttpServer.listen({
      'POST tools/call': async ({ id, response }) => {
        startStream(response);
        const params = { level: 'info', data: 'x'.repeat(200_000) };
        const note = event({ jsonrpc: '2.0', method: 'notifications/message', params });
        for (let sent = 0; sent < count; sent++) {
          if (!response.write(note)) await once(response, 'drain');
        }
        response.end(event({ jsonrpc: '2.0', id, result: {} }));
      },
    });
    const proxy = await RunningProxy.start({
      http: { url: server.url, enableAllTools: true },
      works,
    });
    const overHttp = await AgentSession.open(proxy.url('http'));
    expect((await overHttp.call('flood')).messages).toHaveLength(count + 1);
    const overStdio = await AgentSession.open(proxy.url('works'));
    const args = { count, size: 200_000 };
    expect((await overStdio.call('flood', { args })).messages).toHaveLength(count + 1);
    const { stderr, warnings } = await proxy.stop();
    expect(stderr).not.toContain('MaxListeners');
    expect(warnings).toEqual([]);
  });

  it('does not hold up the end', async () => {
    const proxy = await RunningProxy.start({ works });
    const session = await AgentSession.open(proxy.url('works'));
    const stream = await session.stream();
    const args = { count: 3000, size: 100_000 };
    await session.call('flood-later', { args });
    const { exitCode, calls } = await proxy.stop();
    expect(exitCode).toBe(0);
    expect(calls.map(({ name }) => name)).toContain('flood-later');
    stream.destroy();
  });
});

describe('200 agents at once', () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);

  it('share one stdio server', async () => {
    const proxy = await RunningProxy.start({ works });
    const answers = numbers.map(async (number) => {
      const session = await AgentSession.open(proxy.url('works'));
      return Promise.all([
        session.text('echo', { text: `for ${number}` }),
        session.text('pid'),
        session.request('tools/list').then(({ status }) => status),
      ]);
    });
    const all = await Promise.all(answers);
    expect(all.map(([text]) => text)).toEqual(numbers.map((number) => `for ${number}`));
    expect(new Set(all.map(([, pid]) => pid)).size).toBe(1);
    expect(new Set(all.map(([, , status]) => status))).toEqual(new Set([200]));
    const { exitCode, calls, warnings, stderr } = await proxy.stop();
    expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: [] });
    expect(calls.filter(({ kind }) => kind === 'tool')).toHaveLength(400);
    expect(new Set(calls.map(({ session }) => session)).size).toBe(200);
    expect(stderr).not.toContain('MaxListeners');
  });

  it('talk to an HTTP server', async () => {
    let sessions = 0;
    const server = await ScriptedHttpServer.listen({
      'POST initialize': ({ id, response }) => {
        response.setHeader('mcp-session-id', `session-${++sessions}`);
        answerJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });
      },
      'POST tools/call': ({ id, body, headers, response }) => {
        const { text } = JSON.parse(body).params.arguments;
        const content = [{ type: 'text', text: `${text} in ${headers['mcp-session-id']}` }];
        answerJson(response, { jsonrpc: '2.0', id, result: { content } });
      },
    });
    const proxy = await RunningProxy.start({ http: { url: server.url, enableAllTools: true } });
    const answers = numbers.map(async (number) => {
      const { headers } = await initialize(proxy.url('http'));
      const id = String(headers['mcp-session-id']);
      const session = new AgentSession(proxy.url('http'), { 'mcp-session-id': id });
      const text = await session.text('echo', { text: `for ${number}` });
      return [text, `for ${number} in ${id}`];
    });
    for (const [text, expected] of await Promise.all(answers)) expect(text).toBe(expected);
    const { exitCode, calls, warnings, stderr } = await proxy.stop();
    expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: [] });
    expect(calls.filter(({ kind }) => kind === 'tool')).toHaveLength(200);
    expect(new Set(calls.map(({ session }) => session)).size).toBe(200);
    expect(stderr).not.toContain('MaxListeners');
  });
});

/**
 * A number when it changes no more, while the proxy answers one request after the other: it had
 * every chance to take more.
 */
async function restOf(
  look: () => Promise<number>,
  roundTrip: () => Promise<unknown>,
): Promise<number> {
  let number = -1;
  for (let unchanged = 0; unchanged < 20; ) {
    await roundTrip();
    const now = await look();
    unchanged = now === number && now > 0 ? unchanged + 1 : 0;
    number = now;
  }
  return number;
}

/** Reads a stream until its text ends like this, or it ends itself. */
async function readStream(stream: IncomingMessage, end?: string) {
  let bytes = 0;
  let last = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    last = (last + chunk).slice(-200);
    if (end !== undefined && last.endsWith(end)) break;
  }
  return { bytes, last };
}
