import { expect, it } from 'vitest';
import { certificateFile, LoopbackServer } from '../../testing/loopback-http.js';
import { exchange } from './exchange.js';

const options = { environment: {}, maxBytes: 1_000_000 };

it('speaks TLS with a server whose certificate is trusted', async () => {
  const server = await LoopbackServer.https((_, response) => {
    response.end('safe');
  });
  const environment = { SSL_CERT_FILE: certificateFile };
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `https://${host}:${server.port}/`;
    const { body } = await exchange({ url }, { ...options, environment });
    expect(body.toString()).toBe('safe');
  }
  await server.idle();
});

it('does not speak with a server whose certificate is not trusted', async () => {
  const server = await LoopbackServer.https(() => expect.unreachable());
  await expect(exchange({ url: server.url('/', 'https') }, options)).rejects.toMatchObject({
    code: 'tls',
    message: `there is no secure connection to 127.0.0.1:${server.port}: self-signed certificate`,
  });
  await server.idle();
});

it('says that there is no TLS', async () => {
  const server = await LoopbackServer.http(() => expect.unreachable());
  await expect(exchange({ url: server.url('/', 'https') }, options)).rejects.toMatchObject({
    code: 'tls',
    message: `there is no secure connection to 127.0.0.1:${server.port}: it does not speak TLS`,
  });
});

it('says that the certificates are not there', async () => {
  const server = await LoopbackServer.https(() => expect.unreachable());
  const environment = { SSL_CERT_FILE: '/no/such/file' };
  await expect(
    exchange({ url: server.url('/', 'https') }, { ...options, environment }),
  ).rejects.toMatchObject({
    code: 'environment',
    message: 'the file that SSL_CERT_FILE names cannot be read',
  });
  await server.idle();
});
