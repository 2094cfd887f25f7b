/** What the codes mean whose own text is about something else, or too long. */
const known: Readonly<Record<string, string>> = {
  ECONNRESET: 'it closed the connection',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** OpenSSL puts what it means between addresses in memory and places in its source. */
const openSslText = /:error:[^:]*:[^:]*:[^:]*:([^:]+)/;

/** Why there is no TLS connection. */
export function tlsReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return known[code] ?? openSslText.exec(message)?.[1] ?? message;
}
