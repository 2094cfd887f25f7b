import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { modelFetch } from './model-fetch.js';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

it('says in the words of fetch that nobody is there', async () => {
  await expect(modelFetch('http://127.0.0.1:9', question)).rejects.toMatchObject({
    message: 'fetch failed',
    cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
  });
});
