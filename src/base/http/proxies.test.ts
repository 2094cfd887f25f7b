import { once } from 'node:events';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  certificateFile,
  LoopbackServer,
  type ProxyRequest,
} from '../../../testing/loopback-http.js';
import { bypassesProxy, findProxy } from './proxies.js';
import { exchange } from './transfer.js';

const maxBytes = 1_000_000;

it('asks a proxy for the whole address, and sends it the credentials', async () => {
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

const direct = (url: string, noProxy: string) => bypassesProxy(new URL(url), noProxy);

it.each([
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://127.0.0.1/',
  'http://127.9.8.7/',
  'http://127.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost./',
  'http://app.localhost/',
])('never sends %s through a proxy', (url) => {
  expect(direct(url, '')).toBe(true);
});

it.each([
  ['a.test', 'http://a.test/', true],
  ['a.test', 'http://x.a.test/', true],
  ['a.test', 'http://xa.test/', false],
  ['a.test', 'http://a.test./', true],
  ['A.Test', 'http://a.tEST/', true],
  ['.a.test', 'http://a.test/', false],
  ['.a.test', 'http://x.a.test/', true],
  ['*.a.test', 'http://x.a.test/', true],
  ['*.a.test', 'http://a.test/', false],
  ['*', 'https://anything.test/', true],
  ['a.test:80', 'http://a.test/', true],
  ['a.test:80', 'https://a.test/', false],
  ['a.test:443', 'https://a.test/', true],
  ['a.test:8080', 'http://a.test:8080/', true],
  ['b.test, a.test', 'http://a.test/', true],
  ['b.test a.test', 'http://a.test/', true],
  ['10.0.0.0/8', 'http://10.1.2.3/', true],
  ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ['10.0.0.0/8', 'http://ten.test/', false],
  ['10.0.0.0/99', 'http://10.1.2.3/', false],
  ['10.0.0.0/x', 'http://10.1.2.3/', false],
  ['10.1.2.3', 'http://10.1.2.3:90/', true],
  ['10.1.2.3:90', 'http://10.1.2.3:90/', true],
  ['10.1.2.3:91', 'http://10.1.2.3:90/', false],
  ['10.1.2.3', 'http://[::ffff:10.1.2.3]/', true],
  ['2.3', 'http://10.1.2.3/', true],
  ['fd00::/8', 'http://[fd12::1]/', true],
  ['fd00::/8', 'http://[fe12::1]/', false],
  ['fd12::1', 'http://[fd12:0::1]/', true],
  ['[fd12::1]:80', 'http://[fd12::1]/', true],
  ['[fd12::1]:81', 'http://[fd12::1]/', false],
  ['[fd12::1]', 'http://[fd12::1]/', true],
  [':80', 'http://a.test/', false],
  ['', 'http://a.test/', false],
  [' , ', 'http://a.test/', false],
])('with NO_PROXY=%s, %s goes directly: %s', (noProxy, url, expected) => {
  expect(direct(url, noProxy)).toBe(expected);
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));

it('lets a host and what is below it go directly, and nothing that only ends alike', () => {
  fc.assert(
    fc.property(host, label, fc.array(host), (domain, more, others) => {
      const entries = [...others, domain].join(',');
      expect(direct(`http://${domain}/`, entries)).toBe(true);
      expect(direct(`http://${more}.${domain}/`, entries)).toBe(true);
      expect(direct(`http://${more}${domain}/`, domain)).toBe(false);
      expect(direct(`http://${domain}/`, `.${domain}`)).toBe(false);
    }),
  );
});

it('takes any text for NO_PROXY', () => {
  fc.assert(
    fc.property(fc.string(), host, (noProxy, domain) => {
      expect(typeof direct(`http://${domain}/`, noProxy)).toBe('boolean');
    }),
  );
});

it('knows the addresses of a network', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (base, bits, other) => {
      const number = (ip: string) =>
        ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
      const size = 2 ** (32 - bits);
      const isIn = Math.floor(number(base) / size) === Math.floor(number(other) / size);
      const isLoopback = other.startsWith('127.');
      expect(direct(`http://${other}/`, `${base}/${bits}`)).toBe(isIn || isLoopback);
    }),
  );
});

const chosen = (url: string, environment: NodeJS.ProcessEnv) =>
  findProxy(new URL(url), environment)?.href;

it.each([
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', http_proxy: 'http://q:1' }, 'http://p:1/'],
  ['http://a.test/', { HTTP_PROXY: '', http_proxy: 'http://q:1' }, 'http://q:1/'],
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', REQUEST_METHOD: 'GET' }, undefined],
  ['http://a.test/', { http_proxy: 'http://p:1', REQUEST_METHOD: 'GET' }, 'http://p:1/'],
  ['http://a.test/', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { HTTPS_PROXY: 'https://p:1', ALL_PROXY: 'q' }, 'https://p:1/'],
  ['https://a.test/', { https_proxy: 'p:1' }, 'http://p:1/'],
  ['https://a.test/', { ALL_PROXY: 'p' }, 'http://p/'],
  ['http://a.test/', { all_proxy: 'p' }, 'http://p/'],
  ['http://a.test/', { ALL_PROXY: 'p', NO_PROXY: 'a.test' }, undefined],
  ['http://a.test/', { ALL_PROXY: 'p', no_proxy: 'a.test' }, undefined],
  ['http://a.test/', {}, undefined],
])('takes the proxy for %s from %j', (url, environment, expected) => {
  expect(chosen(url, environment)).toBe(expected);
});

it.each(['socks5://p:1', 'http://'])('says that %s is no proxy that it can use', (proxy) => {
  expect(() => chosen('http://a.test/', { ALL_PROXY: proxy })).toThrow(
    'ALL_PROXY is not the address of an http or https proxy',
  );
});
