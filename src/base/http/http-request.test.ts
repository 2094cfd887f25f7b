import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { certificateFile, LoopbackServer } from '../../../testing/loopback-http.js';
import { exchange } from './transfer.js';

const options = { environment: {}, maxBytes: 1_000_000 };

interface Seen {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that sends `/from` on and answers everything else. */
async function redirecting(status: number, location: string) {
  const seen: Seen[] = [];
  const server = await LoopbackServer.http((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ line: `${method} ${url}`, headers, body });
      if (url === '/from') response.writeHead(status, { location }).end('moved');
      else response.end('arrived');
    });
  });
  return { server, seen };
}

it.each([
  [301, 'GET', 'GET', false],
  [301, 'POST', 'GET', false],
  [302, 'PUT', 'GET', false],
  [302, 'HEAD', 'HEAD', true],
  [303, 'DELETE', 'GET', false],
  [303, 'HEAD', 'HEAD', true],
  [307, 'POST', 'POST', true],
  [308, 'PATCH', 'PATCH', true],
])('%i makes of %s a %s', async (status, method, next, keepsBody) => {
  const { server, seen } = await redirecting(status, '/to');
  const body = method === 'GET' || method === 'HEAD' ? undefined : 'data';
  const answer = await exchange(
    {
      url: server.url('/from'),
      method,
      headers: { 'Content-Type': 'text/plain', 'X-Own': '1', Authorization: 'Bearer x' },
      ...(body !== undefined && { body }),
    },
    options,
  );
  expect(answer).toMatchObject({ status: 200, url: server.url('/to') });
  expect(answer.redirects).toEqual([server.url('/to')]);
  expect(seen[1]).toMatchObject({
    line: `${next} /to`,
    headers: { 'x-own': '1', authorization: 'Bearer x' },
    body: keepsBody ? (body ?? '') : '',
  });
  if (method !== 'GET') expect('content-type' in (seen[1]?.headers ?? {})).toBe(keepsBody);
  await server.idle();
});

it.each([
  ['to?x=1', '/to?x=1'],
  ['./deeper/../to', '/to'],
  ['?q', '/from?q'],
  [Buffer.from('/café').toString('latin1'), '/caf%C3%A9'],
])('finds %s from where it is', async (location, path) => {
  const { server, seen } = await redirecting(302, location);
  await exchange({ url: server.url('/from') }, options);
  expect(seen[1]?.line).toBe(`GET ${path}`);
});

it.each(['port', 'host'])('sends no secret to another origin: another %s', async (other) => {
  const target = await redirecting(200, '');
  const url = target.server.url('/to');
  const to = other === 'port' ? url : url.replace('127.0.0.1', 'localhost');
  const { server } = await redirecting(307, to);
  const headers = {
    Authorization: 'Bearer x',
    Cookie: 'a=b',
    'Proxy-Authorization': 'Basic x',
    Host: 'inner.test',
    'X-Own': '1',
  };
  const answer = await exchange({ url: server.url('/from'), headers }, options);
  expect(answer).toMatchObject({ status: 200, redirects: [to] });
  expect(target.seen[0]?.headers).toEqual({
    host: new URL(to).host,
    'user-agent': 'mcp-proctor',
    'accept-encoding': 'identity',
    'x-own': '1',
    connection: 'close',
  });
});

it('sends no secret when a redirect comes back to the first origin', async () => {
  const seen: (string | undefined)[] = [];
  const first = await LoopbackServer.http(({ url, headers }, response) => {
    seen.push(headers.authorization);
    if (url === '/') response.writeHead(302, { location: second.url() });
    response.end();
  });
  const second = await LoopbackServer.http((_, response) => {
    response.writeHead(302, { location: first.url('/back') }).end();
  });
  await exchange({ url: first.url(), headers: { Authorization: 'Bearer x' } }, options);
  expect(seen).toEqual(['Bearer x', undefined]);
});

it('goes from https to http, without secrets', async () => {
  const { server, seen } = await redirecting(200, '');
  const secure = await LoopbackServer.https((_, response) => {
    response.writeHead(302, { location: server.url('/to') }).end();
  });
  const answer = await exchange(
    { url: secure.url('/', 'https'), headers: { Cookie: 'a=b' } },
    { ...options, environment: { SSL_CERT_FILE: certificateFile } },
  );
  expect(answer).toMatchObject({ status: 200, url: server.url('/to') });
  expect(seen[0]?.headers.cookie).toBeUndefined();
});

it('uses the credentials in the address of a redirect, and does not show them', async () => {
  const target = await redirecting(200, '');
  const to = target.server.url('/to');
  const { server } = await redirecting(302, to.replace('//', '//me:pass@'));
  const answer = await exchange({ url: server.url('/from') }, options);
  expect(target.seen[0]?.headers.authorization).toBe('Basic bWU6cGFzcw==');
  expect(answer).toMatchObject({ url: to, redirects: [to] });
});

it('follows ten redirects, and not one more', async () => {
  const server = await LoopbackServer.http((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('arrived');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const { redirects } = await exchange({ url: server.url('/10') }, options);
  expect(redirects).toHaveLength(10);
  await expect(exchange({ url: server.url('/11') }, options)).rejects.toMatchObject({
    code: 'too-many-redirects',
    message: `127.0.0.1:${server.port} redirects once more, after 10 redirects`,
  });
  await server.idle();
});

it.each(['ftp://x/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://'])(
  'does not go to %s',
  async (location) => {
    const { server } = await redirecting(302, location);
    const shown = JSON.stringify(location);
    await expect(exchange({ url: server.url('/from') }, options)).rejects.toMatchObject({
      code: 'bad-redirect',
      message: `127.0.0.1:${server.port} redirects to ${shown}, which is not an http or https address`,
    });
  },
);

it.each([300, 304])('takes %i for the answer', async (status) => {
  const { server } = await redirecting(status, '/to');
  expect(await exchange({ url: server.url('/from') }, options)).toMatchObject({ status });
});

it('takes a redirect that leads nowhere for the answer', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.writeHead(302).end('where?');
  });
  const { status, body } = await exchange({ url: server.url() }, options);
  expect([status, body.toString()]).toEqual([302, 'where?']);
});

it('takes a redirect for the answer if it is not to be followed', async () => {
  const { server, seen } = await redirecting(302, 'ftp://x/');
  const answer = await exchange(
    { url: server.url('/from') },
    { ...options, followRedirects: false },
  );
  expect(answer).toMatchObject({ status: 302, headers: { location: 'ftp://x/' }, redirects: [] });
  expect(seen).toHaveLength(1);
});
