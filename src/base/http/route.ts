import type { Socket } from 'node:net';
import { errorMessage } from '../errors.js';
import type { Connection } from './connection.js';
import { HttpError } from './http-error.js';
import { basic } from './http-request.js';
import { portOf } from './no-proxy.js';
import { send } from './send.js';

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
  const socket = await viaProxy(proxy, () => connection.open(proxy));
  if (url.protocol === 'http:') return { socket, ...target };
  await viaProxy(proxy, () => openTunnel(socket, url, proxy));
  return { socket: await connection.encrypt(socket, url), ...target };
}

/** A proxy that reads the request has to know the server, and may want to know who asks. */
export function targetOf(url: URL, proxy: URL | undefined): Target {
  const path = `${url.pathname}${url.search}`;
  if (!proxy || url.protocol === 'https:') return { path, headers: {} };
  return { path: `http://${url.host}${path}`, headers: proxyCredentials(proxy) };
}

/** Behind it the socket is one to the server. */
async function openTunnel(socket: Socket, url: URL, proxy: URL): Promise<void> {
  const target = `${url.hostname}:${portOf(url)}`;
  const headers = { host: target, ...proxyCredentials(proxy) };
  const { statusCode = 0, statusMessage = '' } = await send(
    socket,
    { method: 'CONNECT', target, headers },
    proxy.host,
  );
  if (statusCode >= 200 && statusCode < 300) return;
  throw new Error(`it answers ${`${statusCode} ${statusMessage}`.trim()} for ${target}`);
}

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  return { 'proxy-authorization': basic(username, password) };
}

async function viaProxy<Result>(proxy: URL, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const reason = errorMessage(error);
    const message = `the proxy ${proxy.host} cannot be used: ${reason}`;
    throw new HttpError('proxy', message, { cause: error });
  }
}
