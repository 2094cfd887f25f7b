import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisServer, type RedisServerOptions } from '../support/redis-server.js';

async function startServer(options?: RedisServerOptions) {
  const server = await RedisServer.start(options);
  onTestFinished(() => server.close());
  const connection = new Redis(server.url, { maxRetriesPerRequest: null });
  // It comes back by itself.
  connection.on('error', () => {});
  onTestFinished(() => connection.disconnect());
  return { server, connection };
}

describe('a Redis server of a test', () => {
  it('keeps what it acknowledged when it is killed', async () => {
    const { server, connection } = await startServer({ durable: true });
    await connection.set('kept', 'yes');
    await server.kill();
    await server.restart();
    expect(await connection.get('kept')).toBe('yes');
  });

  it('is on the same port again after a stop, and forgets where nothing else is wanted', async () => {
    const { server, connection } = await startServer();
    await connection.set('kept', 'no');
    await server.stop();
    await server.restart();
    expect(await connection.get('kept')).toBeNull();
  });

  it('takes more settings', async () => {
    const { connection } = await startServer({ settings: ['--maxmemory', '12345678'] });
    expect(await connection.config('GET', 'maxmemory')).toEqual(['maxmemory', '12345678']);
  });

  it('does not answer any more once it is closed', async () => {
    const server = await RedisServer.start();
    await server.close();
    const listener = createServer().listen(server.port, '127.0.0.1');
    await once(listener, 'listening');
    listener.close();
  });

  it('says so when its settings are wrong', async () => {
    await expect(RedisServer.start({ settings: ['--no-such-setting', '1'] })).rejects.toThrow(
      /before it was ready:[\s\S]*no-such-setting/,
    );
  });
});
