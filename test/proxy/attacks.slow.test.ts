import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendRequest } from '../../testing/raw-requests.js';
import { ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const works = stdioServer('hostile-stdio-server.mjs');
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const mebibyte = 1024 * 1024;

describe('somebody without the address', () => {
  it('finds nothing', async () => {
    const proxy = await RunningProxy.start({ works, second: works });
    const url = new URL(proxy.url('works'));
    const [, token = '', name = ''] = url.pathname.split('/');
    expect(token).toMatch(/^[\w-]{32}$/);
    const { pathname: second } = new URL(proxy.url('second'));
    expect(second).not.toContain(token);
    const others = [
      '/',
      '/mcp',
      `/${name}`,
      `/${token}`,
      `/${token}/`,
      `/${token}/second`,
      `/${token}/${name}/`,
      `/${token}/${name.toUpperCase()}`,
      `/${token.slice(0, -1)}/${name}`,
      `/${swapCase(token)}/${name}`,
      `/${'A'.repeat(32)}/${name}`,
      `//${token}/${name}`,
      `/x/../${token}/${name}/..`,
    ];
    for (const other of others) {
      for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
        const { status, body } = await sendTo(url, other, method);
        expect([other, method, status]).toEqual([other, method, 404]);
        expect(body.toString()).not.toContain(token);
      }
    }
    const { calls, events } = await proxy.stop();
    expect(calls).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-ended']);
  });

  it('finds nobody when the proxy has ended', async () => {
    const proxy = await RunningProxy.start({ works });
    const session = await AgentSession.open(proxy.url('works'));
    await proxy.stop();
    await expect(session.call('echo')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a page in a browser', () => {
  const evil = [
    { host: 'evil.com' },
    { host: '127.0.0.1.evil.com' },
    { host: 'localhost.evil.com:80' },
    { host: 'evil.com#127.0.0.1' },
    { host: '127.0.0.1@evil.com' },
    { host: '169.254.169.254' },
    { host: '0.0.0.0' },
    { origin: 'http://evil.com' },
    { origin: 'http://127.0.0.1.evil.com' },
    { origin: 'http://localhost.evil.com' },
    { origin: 'http://localhost@evil.com' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'chrome-extension://127.0.0.1' },
    { origin: '' },
  ];

  it('is refused, whatever name it has for this machine', async () => {
    const proxy = await RunningProxy.start({ works });
    for (const headers of evil) {
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
        const reply = await sendRequest(proxy.url('works'), { method, headers, body: ping });
        expect([headers, method, reply.status]).toEqual([headers, method, 403]);
        expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
    const { calls } = await proxy.stop();
    expect(calls).toEqual([]);
  });

  it('of this machine is let in, by any name that only this machine has', async () => {
    const proxy = await RunningProxy.start({ works });
    const names = ['localhost', '127.0.0.1:80', '[::1]:8080', 'LOCALHOST:1'];
    for (const host of names) {
      const headers = { host, origin: `http://${host}`, 'mcp-session-id': 'unknown' };
      const { status } = await sendRequest(proxy.url('works'), { headers, body: ping });
      // Let in, but not known.
      expect([host, status]).toEqual([host, 404]);
    }
  });
});

describe('a body', () => {
  it.each([
    ['announced', true],
    ['not announced', false],
  ])('of more than 32 MiB, %s, is refused', async (_how, isAnnounced) => {
    const proxy = await RunningProxy.start({ works });
    const body = Buffer.alloc(32 * mebibyte + 1, 'x');
    const headers: Record<string, string> = isAnnounced
      ? { 'content-length': String(body.length) }
      : { 'transfer-encoding': 'chunked' };
    const url = proxy.url('works');
    for (const send of [sendRequest, fetchRequest]) {
      const { status, body: answer } = await send(url, { headers, body });
      expect(status).toBe(413);
      expect(answer.toString()).toContain('larger than 32 MiB');
    }
    const session = await AgentSession.open(url);
    expect(await session.text('echo', { text: 'works' })).toBe('works');
  });

  it('that goes on and on in spite of the refusal is cut off', async () => {
    const proxy = await RunningProxy.start({ works });
    const request = http.request(proxy.url('works'), { method: 'POST', agent: false });
    const statuses: unknown[] = [];
    request.on('response', ({ statusCode }) => statuses.push(statusCode));
    request.on('error', () => {});
    const chunk = Buffer.alloc(mebibyte, 'x');
    const sendMore = () => {
      if (!request.destroyed) request.write(chunk, sendMore);
    };
    sendMore();
    await new Promise((resolve) => request.once('close', resolve));
    expect(statuses).toEqual([413]);
  });

  it('that is announced as huge is refused before it is sent', async () => {
    const proxy = await RunningProxy.start({ works });
    const headers = { 'content-length': String(2 ** 40), expect: '100-continue' };
    const { status } = await sendRequest(proxy.url('works'), { headers });
    expect(status).toBe(413);
  });

  it('of just 32 MiB is taken', async () => {
    const proxy = await RunningProxy.start({ works });
    const session = await AgentSession.open(proxy.url('works'));
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { padding: '' } };
    message.params.padding = 'x'.repeat(32 * mebibyte - JSON.stringify(message).length);
    const { status, answer } = await session.post(message);
    expect({ status, answer }).toEqual({
      status: 200,
      answer: { jsonrpc: '2.0', id: 1, result: {} },
    });
  });

  it.each(['gzip', 'br', 'identity, gzip', 'GZIP'])('packed as %s is refused', async (encoding) => {
    const proxy = await RunningProxy.start({ works });
    const headers = { 'content-encoding': encoding };
    const { status } = await sendRequest(proxy.url('works'), { headers, body: gzipSync(ping) });
    expect(status).toBe(415);
    expect((await proxy.stop()).calls).toEqual([]);
  });

  it.each(['', '{', 'null', '[]', '"text"'])('%j is refused', async (body) => {
    const server = await ScriptedHttpServer.listen({});
    const http = { url: server.url, enableAllTools: true };
    const proxy = await RunningProxy.start({ works, http });
    for (const name of ['works', 'http']) {
      const { status, headers } = await sendRequest(proxy.url(name), { body });
      expect(status).toBe(400);
      expect(headers['content-type']).toBe('application/json');
    }
    expect(server.received).toEqual([]);
  });
});

function swapCase(text: string): string {
  const swap = (letter: string) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return [...text].map(swap).join('');
}

/** With the path as it is: an address would be tidied up first. */
async function sendTo({ hostname, port }: URL, pathname: string, method: string) {
  const body = method === 'POST' ? ping : '';
  return sendRequest(`http://${hostname}:${port}`, { method, body, path: pathname });
}

/** Another client than Node's own. */
async function fetchRequest(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
) {
  const isStream = headers['transfer-encoding'] !== undefined;
  const response = await fetch(url, {
    method: 'POST',
    body: isStream ? new Blob([new Uint8Array(body)]).stream() : new Uint8Array(body),
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, body: await response.text() };
}
