import { expect, it } from 'vitest';
import { certificateFile, LoopbackServer } from '../../../testing/loopback-http.js';
import { describeTlsError } from './connection.js';
import { exchange } from './transfer.js';

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

const failure = (message: string, code: string) => Object.assign(new Error(message), { code });

it.each([
  ['certificate has expired', 'CERT_HAS_EXPIRED', 'certificate has expired'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  [
    '80EC6696157F0000:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1601:SSL alert number 70\n',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'tlsv1 alert protocol version',
  ],
  [
    'write EPROTO 80EC6696157F0000:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1601:SSL alert number 40\n',
    'EPROTO',
    'sslv3 alert handshake failure',
  ],
  [
    "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b",
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'its certificate is for another host',
  ],
  [
    'Client network socket disconnected before secure TLS connection was established',
    'ECONNRESET',
    'it closed the connection',
  ],
])('keeps of %j what it means', (message, code, reason) => {
  expect(describeTlsError(failure(message, code))).toBe(reason);
});
