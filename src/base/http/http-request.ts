import { validateHeaderName, validateHeaderValue } from 'node:http';
import { HttpError } from './http-error.js';
import { httpToken } from './http-syntax.js';

export interface HttpRequest {
  url: string;
  /** GET if it is not given. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** A request that can be sent. */
export interface CheckedRequest {
  url: URL;
  method: string;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
}

/** Headers that follow from the body and the connection, and cannot be set by the caller. */
const reservedHeaders = ['connection', 'content-length', 'trailer', 'transfer-encoding'];

/** Throws HttpError. */
export function checkRequest(request: HttpRequest): CheckedRequest {
  const { method = 'GET', headers = {}, body } = request;
  const url = checkUrl(request.url);
  if (!httpToken.test(method) || method.toUpperCase() === 'CONNECT') {
    throw invalidRequestError(`${JSON.stringify(method)} cannot be the method of a request`);
  }
  // No object, in which `__proto__` would be something else.
  const sent = new Map([
    ['user-agent', 'mcp-proctor'],
    ['accept-encoding', 'identity'],
    ...Object.entries(makeAuthorization(url)),
  ]);
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
    const lower = name.toLowerCase();
    if (!reservedHeaders.includes(lower)) sent.set(lower, value);
  }
  return {
    url,
    method: method.toUpperCase(),
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body: Buffer.from(body) }),
  };
}

function checkUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalidRequestError(`${JSON.stringify(text)} is not an address`);
  const url = new URL(text);
  if (isHttp(url)) return url;
  throw invalidRequestError(`${JSON.stringify(text)} is not an http or https address`);
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Throws without quoting the value: it may be a secret. */
function checkHeader(name: string, value: string): void {
  const shown = JSON.stringify(name);
  try {
    validateHeaderName(name);
  } catch {
    throw invalidRequestError(`${shown} cannot be the name of a header`);
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    throw invalidRequestError(`the header ${shown} has a character that no header can carry`);
  }
}

/** What stands before the host, as a header. */
function makeAuthorization({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  return { authorization: formatBasicAuth(username, password) };
}

export function formatBasicAuth(username: string, password: string): string {
  const pair = `${decodeComponent(username)}:${decodeComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalidRequestError(message: string): HttpError {
  return new HttpError('invalid-request', message);
}

const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization'];
const bodyHeaders = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** The request that a redirect asks for; undefined: the answer is none. Throws HttpError. */
export function followRedirect(
  request: CheckedRequest,
  status: number,
  location: string | undefined,
): CheckedRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const url = resolveLocation(request.url, location);
  const isElsewhere = url.origin !== request.url.origin;
  const keepsBody = status >= 307 || request.method === 'GET' || request.method === 'HEAD';
  const headers = {
    // Also a Host that was asked for was meant for the one server.
    ...omitHeaders(request.headers, [
      ...(isElsewhere ? [...credentialHeaders, 'host'] : []),
      ...(keepsBody ? [] : bodyHeaders),
    ]),
    ...makeAuthorization(url),
  };
  if (!keepsBody) return { url, method: 'GET', headers };
  return { ...request, url, headers };
}

/** What a server sends beyond ASCII are bytes of UTF-8, which Node takes for Latin-1. */
function resolveLocation(from: URL, location: string): URL {
  const text = Buffer.from(location, 'latin1').toString();
  const url = URL.canParse(text, from.href) ? new URL(text, from) : undefined;
  if (url && isHttp(url)) return url;
  const shown = JSON.stringify(text.slice(0, 200));
  throw new HttpError(
    'bad-redirect',
    `${from.host} redirects to ${shown}, which is not an http or https address`,
  );
}

function omitHeaders(
  headers: CheckedRequest['headers'],
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
