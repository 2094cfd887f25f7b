import { type IncomingMessage, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';
import { errorMessage } from '../errors.js';
import type { Connection } from './connection.js';
import { HttpError, toConnectionError } from './http-error.js';
import { formatBasicAuth } from './http-request.js';
import { getPort } from './proxies.js';

/** How a request gets to its server. */
interface Route extends Target {
  socket: Socket;
}

interface Target {
  /** What stands behind the method. */
  path: string;
  /** For the proxy, if it reads the request. */
  headers: Readonly<Record<string, string>>;
}

export async function openRoute(
  connection: Connection,
  url: URL,
  proxy: URL | undefined,
): Promise<Route> {
  const target = targetOf(url, proxy);
  if (!proxy) return { socket: await connection.open(url), ...target };
  const socket = await withProxyErrors(proxy, () => connection.open(proxy));
  if (url.protocol === 'http:') return { socket, ...target };
  await withProxyErrors(proxy, () => openTunnel(socket, url, proxy));
  return { socket: await connection.encrypt(socket, url), ...target };
}

/** A proxy that reads the request has to know the server, and may want to know who asks. */
export function targetOf(url: URL, proxy: URL | undefined): Target {
  const path = `${url.pathname}${url.search}`;
  if (!proxy || url.protocol === 'https:') return { path, headers: {} };
  return { path: `http://${url.host}${path}`, headers: makeProxyAuthorization(proxy) };
}

/** Behind it the socket is one to the server. */
async function openTunnel(socket: Socket, url: URL, proxy: URL): Promise<void> {
  const target = `${url.hostname}:${getPort(url)}`;
  const headers = { host: target, ...makeProxyAuthorization(proxy) };
  const { statusCode = 0, statusMessage = '' } = await sendOverSocket(
    socket,
    { method: 'CONNECT', target, headers },
    proxy.host,
  );
  if (statusCode >= 200 && statusCode < 300) return;
  throw new Error(`it answers ${`${statusCode} ${statusMessage}`.trim()} for ${target}`);
}

function makeProxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  return { 'proxy-authorization': formatBasicAuth(username, password) };
}

async function withProxyErrors<Result>(proxy: URL, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const reason = errorMessage(error);
    const message = `the proxy ${proxy.host} cannot be used: ${reason}`;
    throw new HttpError('proxy', message, { cause: error });
  }
}

interface SentRequest {
  method: string;
  /** What stands behind the method: a path, an address, or a host with its port. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
}

/** Sends a request over a connection that is open; the answer's body is still to come. */
export function sendOverSocket(
  socket: Socket,
  { method, target, headers, body }: SentRequest,
  host: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest({
      createConnection: () => socket,
      method,
      path: target,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
      setHost: false,
    });
    // The protocol changes: what comes now is not ours to read.
    const switched = (response: IncomingMessage, _: unknown, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(response);
    };
    request.once('connect', switched);
    request.once('upgrade', switched);
    request.once('response', (response) => {
      // Node reports a flaw in the body on the request; on the response only that it has ended.
      request.on('error', (error) => response.destroy(error));
      response.on('error', () => undefined);
      resolve(response);
    });
    request.on('error', (error) => reject(toConnectionError(error, host)));
    request.end(body);
  });
}
