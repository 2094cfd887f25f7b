import { expect, it } from 'vitest';
import { tlsReason } from './tls-reason.js';

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
  expect(tlsReason(failure(message, code))).toBe(reason);
});
