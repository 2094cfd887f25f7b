import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerJson, ScriptedHttpServer, startStream } from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { type Answer, callOf, codesOf, startProxy, stop } from '../support/hostile-http.js';
import type { RunningProxy } from '../support/running-proxy.js';

const result = { content: [{ type: 'text', text: 'done' }] };

describe('a server that answers with an error', () => {
  it.each([
    [500, 'application/json', '{"message":"stack overflow"}'],
    [500, 'text/html', '<h1>Internal Server Error</h1>'],
    [429, 'text/plain', 'slow down'],
    [404, 'application/json', '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}'],
  ])('HTTP %i with %s is passed on as it is', async (status, type, body) => {
    const { proxy } = await startProxy(({ response }) =>
      response.writeHead(status, { 'content-type': type, 'retry-after': '7' }).end(body),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    const reply = await session.call('fail');
    expect(reply).toMatchObject({ status, headers: { 'content-type': type, 'retry-after': '7' } });
    expect(reply.body.toString()).toBe(body);
    const ended = await stop(proxy);
    const call = callOf(ended);
    expect(call.isError).toBe(true);
    if (type === 'application/json' && status === 404) {
      // An error of the protocol is what it says.
      expect(call.error?.value).toEqual({ code: -32001, message: 'no' });
      return;
    }
    const message = `the server "hostile" answered with HTTP ${status} and a body of type ${type}`;
    expect(call.error?.value).toMatchObject({ message });
    expect(ended.warnings).toEqual([
      expect.objectContaining({ code: 'server-http-error', message, details: body }),
    ]);
  });

  it('HTML with 200 becomes an error that an agent understands', async () => {
    const { proxy } = await startProxy(({ response }) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('fail');
    expect(status).toBe(502);
    const message = 'the server "hostile" answered with HTTP 200 and a body of type text/html';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    const ended = await stop(proxy);
    expect(callOf(ended).error?.value).toMatchObject({ message });
    expect(ended.warnings).toEqual([
      expect.objectContaining({ code: 'server-http-error', message, details: '<h1>Welcome</h1>' }),
    ]);
  });

  it.each([
    ['a small', 10],
    ['a large', 300_000],
  ])('%s body that is a result, but of another type, is none', async (_size, length) => {
    const text = 'x'.repeat(length);
    const { proxy } = await startProxy(({ id, response }) => {
      const body = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
      response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(body));
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('plain');
    expect(status).toBe(502);
    const message = 'the server "hostile" answered with HTTP 200 and a body of type text/plain';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    const call = callOf(await stop(proxy));
    expect(call.error?.value).toMatchObject({ message });
    expect(call).toMatchObject({ isError: true });
    expect(call).not.toHaveProperty('result');
  });

  it.each([401, 403])('HTTP %i is answered without the invitation to log in', async (status) => {
    const refuseAccess: Answer = ({ response }) => {
      const invitation = 'Bearer resource_metadata="https://login.example/metadata"';
      response.writeHead(status, { 'www-authenticate': invitation, 'set-cookie': 'a=b' });
      response.end('log in at https://login.example');
    };
    const { proxy } = await startProxy(refuseAccess, { GET: refuseAccess });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status: given, headers, answer, body } = await session.call('private');
    expect(given).toBe(502);
    const message = `the server "hostile" refused access (HTTP ${status})`;
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(body.toString()).not.toContain('login.example');
    const stream = await session.stream();
    expect(stream.statusCode).toBe(502);
    expect(stream.headers).not.toHaveProperty('www-authenticate');
    stream.resume();
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['server-unauthorized', 'server-unauthorized']);
    expect(callOf(ended).error?.value).toMatchObject({ message });
  });
});

describe('a server that redirects', () => {
  it('is followed when the request stays the same, and the agent does not notice', async () => {
    const target = await ScriptedHttpServer.listen({
      'POST tools/call': ({ id, response }) => {
        response.setHeader('location', 'http://elsewhere.example/');
        answerJson(response, { jsonrpc: '2.0', id, result });
      },
    });
    const { server, proxy } = await startProxy(({ response }) =>
      response.writeHead(307, { location: target.url }).end(),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, headers, answer } = await session.call('moved');
    expect({ status, answer }).toMatchObject({ status: 200, answer: { id: 1, result } });
    expect(headers).not.toHaveProperty('location');
    const [first] = server.received.filter(({ name }) => name === 'POST tools/call');
    expect(target.received.map(({ body }) => body)).toEqual([first?.body]);
    expect(callOf(await stop(proxy))).toMatchObject({ isError: false });
  });

  it('to another server does not take along the authorization of the agent', async () => {
    const target = await ScriptedHttpServer.listen({
      'POST tools/call': ({ id, response }) => answerJson(response, { jsonrpc: '2.0', id, result }),
    });
    const { server, proxy } = await startProxy(({ response }) =>
      response.writeHead(307, { location: target.url }).end(),
    );
    const authorization = 'Bearer of agent';
    const session = new AgentSession(proxy.url('hostile'), { authorization });
    expect(await session.text('moved')).toBe('done');
    expect((await server.request('POST tools/call')).headers).toMatchObject({ authorization });
    const { headers } = await target.request('POST tools/call');
    expect(headers).not.toHaveProperty('authorization');
    expect(callOf(await stop(proxy))).toMatchObject({ isError: false });
  });

  it.each([
    ['another method', 302, 'http://127.0.0.1:9/'],
    ['another protocol', 307, 'file:///etc/passwd'],
    ['nowhere', 308, undefined],
  ])('to %s is refused', async (_where, code, location) => {
    const { proxy } = await startProxy(({ response }) =>
      response.writeHead(code, location === undefined ? {} : { location }).end('moved'),
    );
    await expectRefused(proxy, code);
  });

  it('in a circle is refused', async () => {
    const { proxy } = await startProxy(({ response }) =>
      response.writeHead(307, { location: '?' }).end(),
    );
    await expectRefused(proxy, 307);
  });

  async function expectRefused(proxy: RunningProxy, code: number): Promise<void> {
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, headers, answer } = await session.call('moved');
    expect(status).toBe(502);
    expect(headers).not.toHaveProperty('location');
    const message = `the server "hostile" answered with a redirect that cannot be followed (HTTP ${code})`;
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    const ended = await stop(proxy);
    expect(ended.warnings.map((warning) => warning.message)).toEqual([message]);
    expect(callOf(ended).error?.value).toMatchObject({ message });
  }
});

describe('a body that is unusual', () => {
  it('is packed without being asked for', async () => {
    const { server, proxy } = await startProxy(({ id, response }) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const packed = gzipSync(JSON.stringify({ jsonrpc: '2.0', id, result }));
      response.writeHead(200, headers).end(packed);
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('packed');
    expect(status).toBe(502);
    const message =
      'the server "hostile" answered with a compressed body, which it was not asked for';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    expect((await server.request('POST tools/call')).headers['accept-encoding']).toBe('identity');
    const ended = await stop(proxy);
    expect(ended.warnings.map((warning) => warning.message)).toEqual([message]);
    expect(callOf(ended).error?.value).toMatchObject({ message });
  });

  it('has 50 MB', async () => {
    const { proxy } = await startProxy(({ id, response }) => {
      const text = 'x'.repeat(50_000_000);
      answerJson(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    expect(await session.text('large')).toHaveLength(50_000_000);
    const ended = await stop(proxy);
    expect(callOf(ended)).toMatchObject({ isError: false });
    expect(callOf(ended).result?.text.length).toBeGreaterThan(50_000_000);
  });
});

describe('a stream', () => {
  it('may have events that are no messages, whatever they look like', async () => {
    const error = { code: -1, message: 'the real one' };
    const { proxy } = await startProxy(({ id, response }) => {
      const answers = [
        { jsonrpc: '2.0', id, result },
        { jsonrpc: '2.0', id, error },
      ].map((each) => JSON.stringify(each));
      startStream(response);
      response.end(`event: debug\ndata: ${answers[0]}\n\nevent: message\ndata: ${answers[1]}\n\n`);
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { body, messages } = await session.call('debugged');
    expect(body.toString()).toContain('event: debug\n');
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    const call = callOf(await stop(proxy));
    expect(call).toMatchObject({ isError: true });
    expect(call.error?.value).toEqual(error);
    expect(call).not.toHaveProperty('result');
  });
});
