import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LoopbackServer } from '../../../testing/loopback-http.js';
import { exchange, type TransferOptions, transfer } from './transfer.js';

const options = { environment: {}, maxBytes: 10_000_000 };

it('writes the body of the last answer to the given target', async () => {
  const server = await LoopbackServer.http((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/file' }).end('not this');
    else response.end(Buffer.alloc(5_000_000));
  });
  let bytes = 0;
  const statuses: number[] = [];
  const head = await transfer({ url: server.url() }, options, ({ status }) => {
    statuses.push(status);
    return new Writable({
      write(chunk: Buffer, _, done) {
        bytes += chunk.length;
        setImmediate(done);
      },
    });
  });
  expect(head).toMatchObject({ status: 200, redirects: [server.url('/file')] });
  expect([statuses, bytes]).toEqual([[200], 5_000_000]);
  await server.idle();
});

it('reads no body that is not wanted', async () => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 404 Not Found\r\n\r\nendless'));
  });
  expect(await transfer({ url: server.url() }, options, () => undefined)).toMatchObject({
    status: 404,
  });
  await server.idle();
});

it('hands on what the one who writes says', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.end(Buffer.alloc(5_000_000));
  });
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
  const sink = new Writable({ write: (_chunk, _encoding, done) => done(full) });
  await expect(transfer({ url: server.url() }, options, () => sink)).rejects.toBe(full);
  await server.idle();
});

it('ends what is written to when it is called off', async () => {
  const stop = new AbortController();
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    });
  });
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      stop.abort();
      done();
    },
  });
  const { signal } = stop;
  await expect(
    transfer({ url: server.url() }, { ...options, signal }, () => sink),
  ).rejects.toMatchObject({ code: 'aborted' });
  expect(sink.destroyed).toBe(true);
  await server.idle();
});

it('leaves out a header that only chunks can keep, and takes any other name', async () => {
  const server = await LoopbackServer.http((request, response) => {
    const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
    response.setHeader('x-names', names.join());
    response.end();
  });
  const headers = Object.fromEntries([
    ['Trailer', 'x'],
    ['__proto__', 'y'],
  ]);
  const { headers: answered } = await transfer({ url: server.url(), headers }, options, () => {
    return undefined;
  });
  expect(answered['x-names']?.split(',')).toContain('__proto__');
  expect(answered['x-names']).not.toMatch(/trailer/i);
});

const exchangeOptions: TransferOptions = { environment: {}, maxBytes: 1_000_000 };

it('sends method, headers and body, and brings back status, headers and body', async () => {
  const server = await LoopbackServer.http((request, response) => {
    const { method, url, headers } = request;
    request.on('data', (body) => {
      response.writeHead(201, { 'x-list': ['a', 'b'] });
      response.end(JSON.stringify({ method, url, headers, body: String(body) }));
    });
  });
  const answer = await exchange(
    {
      url: server.url('/things?x=1#part'),
      method: 'put',
      headers: { 'X-One': 'yes', 'Content-Length': '9999', Connection: 'keep-alive' },
      body: 'näme',
    },
    exchangeOptions,
  );
  expect(answer).toMatchObject({ status: 201, headers: { 'x-list': 'a, b' }, redirects: [] });
  expect(JSON.parse(answer.body.toString())).toEqual({
    method: 'PUT',
    url: '/things?x=1',
    headers: {
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'mcp-proctor',
      'accept-encoding': 'identity',
      'x-one': 'yes',
      'content-length': '5',
      connection: 'close',
    },
    body: 'näme',
  });
  await server.idle();
});

it('keeps no connection open, even if the server would', async () => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok');
  });
  const { body } = await exchange({ url: server.url() }, exchangeOptions);
  expect(body.toString()).toBe('ok');
  await server.idle();
});

it('reaches a server by its IPv6 address', async () => {
  const server = await LoopbackServer.http(
    (request, response) => {
      response.end(request.headers.host);
    },
    { host: '::1' },
  );
  const { body, url } = await exchange({ url: server.url('/x') }, exchangeOptions);
  expect([body.toString(), url]).toEqual([`[::1]:${server.port}`, `http://[::1]:${server.port}/x`]);
});

it('takes credentials from the address, unless a header has them, and does not show them', async () => {
  const server = await LoopbackServer.http((request, response) => {
    response.end(request.headers.authorization);
  });
  const url = server.url().replace('//', '//me:p%40ss@');
  const answer = await exchange({ url }, exchangeOptions);
  expect(Buffer.from(answer.body.toString().slice(6), 'base64').toString()).toBe('me:p@ss');
  expect(answer.url).toBe(server.url());
  const other = await exchange({ url, headers: { Authorization: 'Bearer x' } }, exchangeOptions);
  expect(other.body.toString()).toBe('Bearer x');
});

it('sends the Host header that it is given', async () => {
  const server = await LoopbackServer.http((request, response) => {
    response.end(request.headers.host);
  });
  const { body } = await exchange(
    { url: server.url(), headers: { Host: 'inner.test' } },
    exchangeOptions,
  );
  expect(body.toString()).toBe('inner.test');
});

it.each([
  ['gzip', gzipSync('hello')],
  ['x-gzip', gzipSync('hello')],
  ['deflate', deflateSync('hello')],
  ['BR', brotliCompressSync('hello')],
  ['gzip, identity, br', brotliCompressSync(gzipSync('hello'))],
])('decodes %s, though it did not ask for it', async (encoding, bytes) => {
  const server = await LoopbackServer.http((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  });
  const { body } = await exchange({ url: server.url() }, exchangeOptions);
  expect(body.toString()).toBe('hello');
});

it('leaves an encoding alone that it does not know', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.writeHead(200, { 'content-encoding': 'zstd' }).end('as it came');
  });
  expect((await exchange({ url: server.url() }, exchangeOptions)).body.toString()).toBe(
    'as it came',
  );
});

it.each([
  ['HEAD', 200, {}],
  ['GET', 204, {}],
  ['GET', 304, {}],
  ['GET', 200, { 'content-length': '0' }],
])('has nothing to decode of no body: %s, %i', async (method, status, headers) => {
  const server = await LoopbackServer.http((_, response) => {
    response.writeHead(status, { 'content-encoding': 'gzip', ...headers }).end();
  });
  const answer = await exchange({ url: server.url(), method }, exchangeOptions);
  expect([answer.status, answer.body.length]).toEqual([status, 0]);
});

it('takes a change of protocol for an answer without a body', async () => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxyz',
    );
  });
  const headers = { Upgrade: 'x' };
  const answer = await exchange({ url: server.url(), headers }, exchangeOptions);
  expect([answer.status, answer.body.length]).toEqual([101, 0]);
  await server.idle();
});

it.each([
  ['in full', () => Buffer.alloc(2_000_000), {}],
  ['and grows when it is decoded', () => gzipSync(Buffer.alloc(20_000_000)), gzipEncoding()],
])('gives up on a body that is too long: %s', async (_, bytes, headers) => {
  const server = await LoopbackServer.http((_request, response) => {
    response.writeHead(200, headers).end(bytes());
  });
  await expect(exchange({ url: server.url() }, exchangeOptions)).rejects.toMatchObject({
    code: 'too-long',
    message: 'the body is longer than 1000000 bytes',
  });
  await server.idle();
});

it('takes a body that is exactly as long as it may be', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.end(Buffer.alloc(1_000_000));
  });
  expect((await exchange({ url: server.url() }, exchangeOptions)).body).toHaveLength(1_000_000);
});

it.each([
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n', 'malformed'],
  ['a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnope\r\n', 'malformed'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'malformed'],
  ['nothing', '', 'reset'],
  ['half of the headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'reset'],
  ['half of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'reset'],
  ['half of the chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf', 'reset'],
  [
    'no gzip where it says gzip',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf',
    'malformed',
  ],
  [
    'too many encodings',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip,gzip\r\nContent-Length: 4\r\n\r\nhalf',
    'malformed',
  ],
])('does not take %s for an answer', async (_, bytes, code) => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.end(bytes));
  });
  const error = await exchange({ url: server.url() }, exchangeOptions).catch((reason) => reason);
  expect(error).toMatchObject({ name: 'HttpError', code });
  expect(error.message).toMatch(/^[a-z0-9].*[^.]$/);
  await server.idle();
});

it('says that the connection was reset', async () => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.resetAndDestroy());
  });
  await expect(exchange({ url: server.url() }, exchangeOptions)).rejects.toMatchObject({
    code: 'reset',
    message: `127.0.0.1:${server.port} closed the connection before its answer was complete`,
  });
});

it.each(['127.0.0.1', '[::1]', 'localhost'])('says that nothing listens at %s', async (host) => {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  server.close();
  await once(server, 'close');
  await expect(exchange({ url: `http://${host}:${port}/` }, exchangeOptions)).rejects.toMatchObject(
    {
      code: 'refused',
      message: `${host}:${port} refused the connection`,
    },
  );
});

it('says that there is no such host', async () => {
  await expect(
    exchange({ url: 'http://no-such-host.invalid/' }, exchangeOptions),
  ).rejects.toMatchObject({
    code: 'host-not-found',
    message: 'the host of no-such-host.invalid cannot be found',
  });
});

it.each([
  [{ url: 'nowhere' }, '"nowhere" is not an address'],
  [{ url: 'http://' }, '"http://" is not an address'],
  [{ url: 'ftp://x/' }, '"ftp://x/" is not an http or https address'],
  [{ url: 'http://x/', method: 'GE T' }, '"GE T" cannot be the method of a request'],
  [{ url: 'http://x/', method: '' }, '"" cannot be the method of a request'],
  [{ url: 'http://x/', method: 'CONNECT' }, '"CONNECT" cannot be the method of a request'],
  [{ url: 'http://x/', headers: { 'a b': '' } }, '"a b" cannot be the name of a header'],
  [
    { url: 'http://x/', headers: { a: 'secret\r\nb: c' } },
    'the header "a" has a character that no header can carry',
  ],
  [
    { url: 'http://x/', headers: { a: '€' } },
    'the header "a" has a character that no header can carry',
  ],
])('sends nothing that is no request: %j', async (request, message) => {
  await expect(exchange(request, exchangeOptions)).rejects.toMatchObject({
    code: 'invalid-request',
    message,
  });
});

it.each(['before it starts', 'while it connects'])('can be called off %s', async (moment) => {
  const server = await LoopbackServer.http(() => expect.unreachable());
  const stop = new AbortController();
  if (moment === 'before it starts') stop.abort();
  const answer = exchange({ url: server.url() }, { ...exchangeOptions, signal: stop.signal });
  stop.abort();
  await expect(answer).rejects.toMatchObject({ code: 'aborted' });
  await server.idle();
});

it.each([
  ['while the server does not answer the TLS handshake', 'https', ''],
  ['while there is no answer', 'http', ''],
  ['in the middle of the headers', 'http', 'HTTP/1.1 200 OK\r\nContent-'],
])('can be called off %s', async (_, scheme, bytes) => {
  const stop = new AbortController();
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.write(bytes, () => stop.abort()));
  });
  const answer = exchange(
    { url: server.url('/', scheme) },
    { ...exchangeOptions, signal: stop.signal },
  );
  await expect(answer).rejects.toMatchObject({
    code: 'aborted',
    message: 'the request was cancelled',
  });
  await server.idle();
});

it('leaves no listener at a signal that lives on', async () => {
  const server = await LoopbackServer.http((_, response) => {
    response.end();
  });
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners--;
    remove(...given);
  };
  await exchange({ url: server.url() }, { ...exchangeOptions, signal });
  expect(listeners).toBe(0);
});

it('takes an answer that comes before the body is read', async () => {
  const server = await LoopbackServer.tcp((socket: Socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
  });
  const body = Buffer.alloc(100_000);
  const answer = await exchange({ url: server.url(), method: 'POST', body }, exchangeOptions);
  expect(answer.status).toBe(413);
});

function gzipEncoding() {
  return { 'content-encoding': 'gzip' };
}

it.each([
  ['with its answer', ''],
  ['in its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbeginning'],
])('does not wait for a server that goes silent %s', async (_, said) => {
  const server = await LoopbackServer.tcp((socket) => {
    socket.once('data', () => socket.write(said));
  });
  await expect(
    exchange({ url: server.url() }, { ...exchangeOptions, idleMs: 50 }),
  ).rejects.toMatchObject({
    code: 'idle',
    message: 'nothing came for 0.05 s',
  });
  await server.idle();
});
