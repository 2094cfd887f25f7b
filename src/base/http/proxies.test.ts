import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { certificateFile, LoopbackServer, type ProxyRequest } from '../../testing/loopback-http.js';
import { exchange } from './exchange.js';

const maxBytes = 1_000_000;

it('asks a proxy for the whole address, and tells it who asks', async () => {
  const seen: ProxyRequest[] = [];
  const proxy = await LoopbackServer.proxy(seen, 0);
  const environment = { HTTP_PROXY: `http://me:p%3Ass@127.0.0.1:${proxy.port}` };
  const url = 'http://server.test:8080/a?b=1#c';
  const { body } = await exchange({ url }, { environment, maxBytes });
  expect(body.toString()).toBe('from the proxy');
  const credentials = Buffer.from('me:p:ss').toString('base64');
  expect(seen).toMatchObject([
    {
      line: 'GET http://server.test:8080/a?b=1',
      headers: { host: 'server.test:8080', 'proxy-authorization': `Basic ${credentials}` },
    },
  ]);
  await proxy.idle();
});

it.each([false, true])(
  'speaks TLS through a tunnel; with TLS to the proxy: %s',
  async (isSecure) => {
    const seen: ProxyRequest[] = [];
    const server = await LoopbackServer.https((request, response) => {
      response.end(JSON.stringify(request.headers));
    });
    const proxy = await LoopbackServer.proxy(seen, server.port, isSecure);
    const environment = {
      https_proxy: `${isSecure ? 'https' : 'http'}://me:pass@localhost:${proxy.port}`,
      SSL_CERT_FILE: certificateFile,
    };
    const { body } = await exchange({ url: 'https://server.test/x' }, { environment, maxBytes });
    expect(JSON.parse(body.toString())).toEqual({
      host: 'server.test',
      'user-agent': 'mcp-proctor',
      'accept-encoding': 'identity',
      connection: 'close',
    });
    expect(seen).toMatchObject([
      { line: 'CONNECT server.test:443', headers: { 'proxy-authorization': 'Basic bWU6cGFzcw==' } },
    ]);
    await Promise.all([proxy.idle(), server.idle()]);
  },
);

it('does not speak with a server that shows the certificate of another', async () => {
  const server = await LoopbackServer.https(() => expect.unreachable());
  const proxy = await LoopbackServer.proxy([], server.port);
  const environment = { ALL_PROXY: `127.0.0.1:${proxy.port}`, SSL_CERT_FILE: certificateFile };
  await expect(
    exchange({ url: 'https://other.test/' }, { environment, maxBytes }),
  ).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringContaining(
      'no secure connection to other.test: its certificate is for another host',
    ),
  });
  await Promise.all([proxy.idle(), server.idle()]);
});

it('goes directly to this machine, whatever proxy there is', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.end('direct');
  });
  const environment = { HTTP_PROXY: 'http://proxy.invalid', ALL_PROXY: 'http://proxy.invalid' };
  const { body } = await exchange({ url: server.url() }, { environment, maxBytes });
  expect(body.toString()).toBe('direct');
});

it.each([
  ['HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n', 'it answers 407'],
  ['HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nbad', 'it answers 502 Bad Gateway for'],
  ['SSH-2.0\r\n', 'did not answer in HTTP'],
  ['', 'closed the connection'],
])('says that a proxy does not help: %j', async (answer, reason) => {
  const proxy = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.end(answer));
  });
  const environment = { HTTPS_PROXY: proxy.url() };
  const error = await exchange({ url: 'https://server.test/' }, { environment, maxBytes }).catch(
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ code: 'proxy' });
  expect(error.message).toContain(`the proxy 127.0.0.1:${proxy.port} cannot be used: `);
  expect(error.message).toContain(reason);
  await proxy.idle();
});

it.each(['http', 'https'])('says that a proxy is not there: %s', async (scheme) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  free.close();
  await once(free, 'close');
  const environment = { ALL_PROXY: `http://127.0.0.1:${port}` };
  await expect(
    exchange({ url: `${scheme}://server.test/` }, { environment, maxBytes }),
  ).rejects.toMatchObject({
    code: 'proxy',
    message: `the proxy 127.0.0.1:${port} cannot be used: 127.0.0.1:${port} refused the connection`,
  });
});

it('can be called off while the proxy does not answer', async () => {
  const stop = new AbortController();
  const proxy = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => stop.abort());
  });
  const environment = { HTTPS_PROXY: proxy.url() };
  await expect(
    exchange({ url: 'https://server.test/' }, { environment, maxBytes, signal: stop.signal }),
  ).rejects.toMatchObject({ code: 'aborted' });
  await proxy.idle();
});

it('can be called off while the server behind the proxy does not answer', async () => {
  const stop = new AbortController();
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => stop.abort());
  });
  const proxy = await LoopbackServer.proxy([], server.port);
  const environment = { HTTPS_PROXY: proxy.url() };
  await expect(
    exchange({ url: 'https://server.test/' }, { environment, maxBytes, signal: stop.signal }),
  ).rejects.toMatchObject({ code: 'aborted' });
  await Promise.all([proxy.idle(), server.idle()]);
});
