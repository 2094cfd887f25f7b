import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Belongs to one connection, not to what is passed on (RFC 9110, section 7.6.1). */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const notToServer = new Set([
  ...ofConnection,
  'host',
  'content-length',
  // The agent's page or program is no business of the server.
  'origin',
  'referer',
  'cookie',
  // What is packed would have to be unpacked for the record.
  'accept-encoding',
  'expect',
]);

const notToAgent = new Set([
  ...ofConnection,
  // An invitation to log in, which only we can; and addresses that would lead around the proxy.
  'www-authenticate',
  'location',
  'alt-svc',
  'set-cookie',
  'strict-transport-security',
]);

export function selectHeadersToServer(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return removeHeaders(headers, notToServer);
}

export function selectHeadersToAgent(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return removeHeaders(headers, notToAgent);
}

function removeHeaders(
  headers: IncomingHttpHeaders,
  left: ReadonlySet<string>,
): OutgoingHttpHeaders {
  const kept: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) if (!left.has(name)) kept[name] = value;
  return kept;
}
