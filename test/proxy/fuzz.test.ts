import { once } from 'node:events';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { AgentSession, initialize } from '../support/agent-session.js';
import { agentBody, serverBody } from '../support/odd-messages.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

interface Sent {
  server: 'http' | 'stdio';
  method: string;
  path: string;
  headers: Record<string, string>;
  inSession: boolean;
  body: Buffer;
  isTorn: boolean;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  isStream: boolean;
  isTorn: boolean;
}

/** One of these, but most of the time none. */
const seldom = <Value>(...values: Value[]): fc.Arbitrary<Value | undefined> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

function headersOf(
  choices: Record<string, fc.Arbitrary<string | undefined>>,
): fc.Arbitrary<Record<string, string>> {
  return fc.record(choices).map((all) => {
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, string>;
  });
}

const jsonTypes = ['application/json', 'application/json; charset=utf-8'];

const sent: fc.Arbitrary<Sent> = fc.record({
  server: fc.constantFrom('http' as const, 'stdio' as const),
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant('POST') },
    { weight: 3, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH') },
  ),
  path: fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('/', '?', '?a=b', '//', '%00', '/..', ';x', '#x') },
  ),
  headers: headersOf({
    'content-type': fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...jsonTypes) },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', ';', 'application/json; charset=x') },
    ),
    accept: seldom('text/event-stream', '', '*/*', 'x'),
    'mcp-session-id': seldom('', 'unknown', 'x'.repeat(4000), '\u00e9'),
    'mcp-protocol-version': seldom('2025-11-25', '2026-07-28', '', 'x', '9999-99-99'),
    'mcp-method': seldom('tools/call', 'ping', '', '\u00e9'),
    'mcp-name': seldom('echo', '', '=?base64?w4Q=?=', '=?base64?%?='),
    'last-event-id': seldom('1', '', '\u00e9'),
    'content-encoding': seldom('identity', 'gzip', ''),
    origin: seldom('http://localhost', 'null'),
    connection: seldom('close', 'upgrade'),
    upgrade: seldom('websocket'),
  }),
  inSession: fc.boolean(),
  body: agentBody,
  isTorn: fc.nat(19).map((number) => number === 0),
});

const answered: fc.Arbitrary<Answered> = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant(200) },
    { weight: 3, arbitrary: fc.constantFrom(201, 202, 204, 205, 301, 304, 307, 400, 401, 404) },
    { weight: 2, arbitrary: fc.constantFrom(405, 413, 418, 429, 500, 503, 599, 999) },
  ),
  headers: headersOf({
    'content-type': fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...jsonTypes, 'text/event-stream') },
      { weight: 2, arbitrary: fc.constantFrom('text/html', '', ';;', 'application/jsonx') },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    'mcp-session-id': seldom('given', '', 'x'.repeat(4000)),
    location: seldom('/', 'http://[', 'file:///x', '//'),
    'content-encoding': seldom('gzip', 'identity', ''),
    'www-authenticate': seldom('Bearer'),
    connection: seldom('close', 'x'),
  }),
  body: serverBody,
  isStream: fc.boolean(),
  isTorn: fc.nat(9).map((number) => number === 0),
});

it('the proxy outlives whatever it is sent from both sides', async () => {
  let next: Answered | undefined;
  const server = createServer((request, response) => {
    request.resume().once('end', () => next && answer(response, next));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxy = await RunningProxy.start({
    http: { url: `http://127.0.0.1:${port}/`, enableAllTools: false, alwaysAllow: ['echo'] },
    stdio: stdioServer('junk-stdio-server.mjs'),
    other: stdioServer('hostile-stdio-server.mjs'),
  });
  let session = await newSession(proxy);
  const statuses = new Map<unknown, number>();
  const property = fc.asyncProperty(sent, answered, async (request, answerOfServer) => {
    next = answerOfServer;
    const own: Record<string, string> =
      request.inSession && request.server === 'stdio' ? { 'mcp-session-id': session } : {};
    const url = proxy.url(request.server);
    const status = await outcomeOf(url, { ...request, headers: { ...request.headers, ...own } });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(status).not.toBe('ECONNREFUSED');
    if (request.method === 'DELETE' && request.inSession) session = await newSession(proxy);
  });
  await fc.assert(property, {
    seed: 20_261_116,
    numRuns: 1500,
    timeout: 10_000,
    interruptAfterTimeLimit: 15_000,
    // There is nothing to be learned from a proxy that has gone.
    endOnFailure: true,
  });
  // Otherwise it was all refused at the door.
  expect(statuses.get(200)).toBeGreaterThan(50);
  expect(statuses.get(502)).toBeGreaterThan(10);
  const other = await AgentSession.open(proxy.url('other'));
  expect(await other.text('echo', { text: 'still here' })).toBe('still here');
  const { exitCode, events, stderr } = await proxy.stop();
  expect({ exitCode, last: events.at(-1)?.type }).toEqual({ exitCode: 0, last: 'run-ended' });
  expect(stderr).not.toContain('MaxListeners');
});

async function newSession(proxy: RunningProxy): Promise<string> {
  const { headers } = await initialize(proxy.url('stdio'));
  return String(headers['mcp-session-id']);
}

/** Says it as a whole, as events of a stream, or up to the middle. */
function answer(response: ServerResponse, { status, headers, body, isStream, isTorn }: Answered) {
  const text = isStream ? `id: 1\nevent: message\ndata: ${body}\n\ndata\n\n: x\n\n` : body;
  response.on('error', () => {});
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...headers, ...(length % 2 && { 'content-length': length }) });
  if (isTorn) response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}

/** The status of the answer, once it is there as a whole; or how the connection ended. */
function outcomeOf(url: string, { method, path, headers, body, isTorn }: Sent): Promise<unknown> {
  const { pathname } = new URL(url);
  return new Promise((resolve) => {
    const request = httpRequest(url, {
      method,
      path: `${pathname}${path}`,
      headers: { accept: 'application/json, text/event-stream', ...headers },
      agent: false,
    });
    request.on('response', (response) => {
      response.on('error', () => {});
      response.once('close', () => resolve(response.statusCode)).resume();
      // A stream that the agent opens has no end.
      if (method === 'GET') response.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    request.once('close', () => resolve('closed'));
    if (isTorn) request.write(body, () => request.destroy());
    else request.end(method === 'GET' || method === 'HEAD' ? undefined : body);
  });
}
