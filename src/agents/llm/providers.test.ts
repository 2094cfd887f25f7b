import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createModelFetch } from './providers.js';

const modelFetch = createModelFetch({});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with these very bytes, and reports when the other side has gone. */
async function listenRaw(answer: string): Promise<{ url: string; gone: Promise<unknown> }> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const gone = once(server, 'connection').then(([socket]) => {
    socket.on('error', () => {}).once('data', () => socket.write(answer));
    return once(socket, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, gone };
}

const question = { method: 'POST', body: '{"é":1}', headers: { 'x-key': 'k' } };

it('posts the body and gives the answer', async () => {
  const url = await listen(async (request, response) => {
    const chunks = await request.toArray();
    response.writeHead(200, { 'x-got': request.headers['x-key'] }).end(Buffer.concat(chunks));
  });
  const response = await modelFetch(url, question);
  expect(response.headers.get('x-got')).toBe('k');
  expect(await response.text()).toBe('{"é":1}');
});

it('is called off while the answer comes', async () => {
  const url = await listen((_, response) => response.writeHead(200).write('half'));
  const stop = new AbortController();
  const response = await modelFetch(url, { ...question, signal: stop.signal });
  const text = response.text();
  stop.abort();
  await expect(text).rejects.toThrow('the answer broke off');
});

it('reads no answer without an end', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024);
  const url = await listen((_, response) => {
    const more = () => response.write(mebibyte, (error) => error ?? more());
    more();
  });
  const response = await modelFetch(url, question);
  await expect(response.arrayBuffer()).rejects.toMatchObject({
    cause: new Error(`it is longer than ${64 * 1024 * 1024} bytes`),
  });
});

it('takes an answer without a body', async () => {
  const url = await listen((_, response) => response.writeHead(204).end());
  const response = await modelFetch(url, question);
  expect([response.status, await response.text()]).toEqual([204, '']);
});

it('reports a refused connection in the words of fetch', async () => {
  await expect(modelFetch('http://127.0.0.1:9', question)).rejects.toMatchObject({
    message: 'fetch failed',
    cause: expect.objectContaining({ code: 'refused' }),
  });
});

it('does not wait for an answer from a server that wants another protocol', async () => {
  const { url } = await listenRaw(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await expect(modelFetch(url, question)).rejects.toThrow('fetch failed');
});

it('leaves no connection to a server with a status that makes no sense', async () => {
  const { url, gone } = await listenRaw('HTTP/1.1 999 Odd\r\nContent-Length: 9\r\n\r\n');
  await expect(modelFetch(url, question)).rejects.toThrow('fetch failed');
  await gone;
});
