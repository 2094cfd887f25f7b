import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HttpChannel } from './http-exchange.js';

it('does not wait for an answer from a server that wants another protocol', async () => {
  const server = createServer((socket) => {
    const answer =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    socket.on('error', () => {}).once('data', () => socket.write(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const channel = new HttpChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { signal } = new AbortController();

  const answer = channel.send({ method: 'POST', headers: {}, body: '{}', signal });

  await expect(answer).rejects.toThrow('it was closed without an answer');
});
