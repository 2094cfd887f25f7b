import { validateHeaderName, validateHeaderValue } from 'node:http';
import { HttpError } from './http-error.js';

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

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** They follow from the body and the connection, which are ours. */
const ourHeaders = ['connection', 'content-length', 'trailer', 'transfer-encoding'];

/** Throws HttpError. */
export function checkedRequest(request: HttpRequest): CheckedRequest {
  const { method = 'GET', headers = {}, body } = request;
  const url = checkedUrl(request.url);
  if (!token.test(method) || method.toUpperCase() === 'CONNECT') {
    throw invalid(`${JSON.stringify(method)} cannot be the method of a request`);
  }
  // No object, in which `__proto__` would be something else.
  const sent = new Map([
    ['user-agent', 'mcp-proctor'],
    ['accept-encoding', 'identity'],
    ...Object.entries(credentialsOf(url)),
  ]);
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
    const lower = name.toLowerCase();
    if (!ourHeaders.includes(lower)) sent.set(lower, value);
  }
  return {
    url,
    method: method.toUpperCase(),
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body: Buffer.from(body) }),
  };
}

function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalid(`${JSON.stringify(text)} is not an address`);
  const url = new URL(text);
  if (isHttp(url)) return url;
  throw invalid(`${JSON.stringify(text)} is not an http or https address`);
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** The value is not told: it may be a secret. */
function checkHeader(name: string, value: string): void {
  const shown = JSON.stringify(name);
  try {
    validateHeaderName(name);
  } catch {
    throw invalid(`${shown} cannot be the name of a header`);
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    throw invalid(`the header ${shown} has a character that no header can carry`);
  }
}

/** What stands before the host, as a header. */
export function credentialsOf({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  return { authorization: basic(username, password) };
}

export function basic(username: string, password: string): string {
  const pair = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalid(message: string): HttpError {
  return new HttpError('invalid-request', message);
}
