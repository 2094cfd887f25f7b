import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import {
  certificateFile,
  LoopbackServer,
  type ProxyRequest,
} from '../../../testing/loopback-http.js';
import { HttpClient } from './http-client.js';

function clientIn(environment: NodeJS.ProcessEnv, connectTimeout?: number): HttpClient {
  const client = new HttpClient({
    environment,
    ...(connectTimeout !== undefined && { connectTimeout }),
  });
  onTestFinished(() => client.close());
  return client;
}

const ask = (client: HttpClient, url: string, body?: string): ClientRequest =>
  client.send(new URL(url), { method: 'POST', headers: { a: 'b' }, body });

async function bodyOf(request: ClientRequest): Promise<string> {
  const [response]: IncomingMessage[] = await once(request, 'response');
  return response ? text(response) : '';
}

it('sends what it is given, and keeps the connection for the next request', async () => {
  const server = await LoopbackServer.http((request, response) => {
    const { host, a, 'content-length': length, 'accept-encoding': encoding } = request.headers;
    response.end([host, a, length, encoding].join(' '));
  });
  const client = clientIn({});
  for (const body of ['{}', 'é']) {
    const said = await bodyOf(ask(client, server.url(), body));
    expect(said).toBe(`127.0.0.1:${server.port} b 2 identity`);
  }
  expect(server.connections).toBe(1);
  client.close();
  await server.idle();
});

it.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
  'trusts the certificates of %s, with and without a proxy',
  async (name) => {
    const server = await LoopbackServer.https((_, response) => {
      response.end('safe');
    });
    const seen: ProxyRequest[] = [];
    const proxy = await LoopbackServer.proxy(seen, server.port);
    const client = clientIn({ [name]: certificateFile, HTTPS_PROXY: proxy.url() });
    expect(await bodyOf(ask(client, server.url('/', 'https')))).toBe('safe');
    expect(seen).toEqual([]);
    for (const path of ['one', 'two']) {
      expect(await bodyOf(ask(client, `https://server.test/${path}`))).toBe('safe');
    }
    // The second request went over the tunnel of the first.
    expect(seen).toMatchObject([{ line: 'CONNECT server.test:443' }]);
  },
);

it('does not trust a certificate without a known authority', async () => {
  const server = await LoopbackServer.https(() => expect.unreachable());
  const [error] = await once(ask(clientIn({}), server.url('/', 'https')), 'error');
  expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

it('asks a proxy for the whole address, and does not send its password to the server', async () => {
  const seen: ProxyRequest[] = [];
  const proxy = await LoopbackServer.proxy(seen, 0);
  const environment = { HTTP_PROXY: `http://me:pass@127.0.0.1:${proxy.port}` };
  const client = clientIn(environment);
  expect(await bodyOf(ask(client, 'http://server.test:8080/a?b=1'))).toBe('from the proxy');
  expect(seen).toMatchObject([
    {
      line: 'POST http://server.test:8080/a?b=1',
      headers: { host: 'server.test:8080', 'proxy-authorization': 'Basic bWU6cGFzcw==' },
    },
  ]);
  const server = await LoopbackServer.http(({ headers }, response) => {
    response.end(headers['proxy-authorization'] ?? 'nothing');
  });
  expect(await bodyOf(ask(client, server.url()))).toBe('nothing');
});

it('waits for a proxy only as long as for any connection', async () => {
  const proxy = await LoopbackServer.tcp(() => {});
  const client = clientIn({ HTTPS_PROXY: proxy.url() }, 50);
  const [error] = await once(ask(client, 'https://server.test/'), 'error');
  expect(error).toMatchObject({
    code: 'proxy',
    message: `the proxy 127.0.0.1:${proxy.port} cannot be used: could not be reached within 0.05 s`,
  });
  await proxy.idle();
});

it('leaves no connection to a proxy that has not answered when it is closed', async () => {
  const proxy = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => client.close());
  });
  const client = clientIn({ HTTPS_PROXY: proxy.url() });
  await once(ask(client, 'https://server.test/'), 'error');
  await proxy.idle();
});

it.each([
  [{ ALL_PROXY: 'socks5://x' }, 'ALL_PROXY is not the address of an http or https proxy'],
  [{ SSL_CERT_FILE: '/no/such/file' }, 'the file that SSL_CERT_FILE names cannot be read'],
])('says what is wrong with %j', (environment, message) => {
  expect(() => ask(clientIn(environment), 'https://server.test/')).toThrow(message);
});
