import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest } from '../../testing/raw-requests.js';
import { initialize } from '../support/agent-session.js';
import { idMark, idText, namelessErrorText, requestText } from '../support/json-texts.js';
import {
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const numRuns = 200;

let proxy: RunningProxy;
let http: HttpServer;
let sessionId: string;
beforeAll(async () => {
  http = await startFixture('echo-http-server.mjs');
  proxy = await RunningProxy.startShared({
    http: { url: http.url, enableAllTools: true },
    stdio: { ...stdioServer(serverProgram('echo-stdio-server.mjs')), enableAllTools: true },
  });
  const { headers } = await initialize(proxy.url('stdio'));
  sessionId = String(headers['mcp-session-id']);
});
afterAll(async () => {
  await proxy?.end();
  await http?.stop();
});

/** What was sent, for the record at the end. */
const sent = new Map<string, string[]>([
  ['http', []],
  ['stdio', []],
]);

async function post(server: string, text: string, headers: Record<string, string> = {}) {
  sent.get(server)?.push(text);
  const response = await sendRequest(proxy.url(server), {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: text,
  });
  return { ...response, text: response.body.toString() };
}

const overStdio = (text: string) => post('stdio', text, { 'mcp-session-id': sessionId });

describe('a message for an HTTP server', () => {
  const message = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(requestText('echo'), idText).map(withId) },
    { weight: 1, arbitrary: namelessErrorText },
  );

  it('reaches it byte for byte, and so does its answer the agent', async () => {
    const property = fc.asyncProperty(message, fc.boolean(), async (text, isStream) => {
      const headers = { 'x-answer-as': isStream ? 'stream' : 'json' };
      const answer = await post('http', text, headers);
      const hash = createHash('sha256').update(text).digest('hex');
      expect(answer.headers['x-received']).toBe(hash);
      const asStream = `data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
      expect(answer.text).toBe(isStream ? asStream : text);
    });
    await fc.assert(property, { numRuns });
  });
});

describe('a message for a stdio server', () => {
  /** The server answers with the line it got, which has an id that is not the agent's. */
  function expectEcho(answer: string, request: string, id: string): string {
    const [before = '', after = ''] = oneLine(request).split(idMark);
    const start = `{"result":${before}`;
    const end = `${after},"extra":1.0,"id":${id},"jsonrpc":"2.0"}`;
    expect(answer.slice(0, start.length)).toBe(start);
    expect(answer.slice(-end.length)).toBe(end);
    const ownId = answer.slice(start.length, -end.length);
    expect(ownId).toMatch(/^\d+$/);
    return `${before}${ownId}${after}`;
  }

  it('keeps everything but the id, which comes back as it was', async () => {
    const property = fc.asyncProperty(requestText('echo'), idText, async (request, id) => {
      const answer = await overStdio(withId([request, id]));
      expect(answer.status).toBe(200);
      expectEcho(answer.text, request, id);
    });
    await fc.assert(property, { numRuns });
  });

  it('is answered after an error that names no request, which comes first and as it was', async () => {
    const property = fc.asyncProperty(requestText('echo/nameless'), idText, async (request, id) => {
      const { text } = await overStdio(withId([request, id]));
      const events = text.split('\n\n').filter(Boolean);
      const [first = '', answer = ''] = events.map((event) => event.replace(/^.*\ndata: /, ''));
      const line = expectEcho(answer, request, id);
      const error = `{"code":-32700,"message":"\\u00e9","data":${line}}`;
      expect(first).toBe(`{"error":${error},"id":null,"jsonrpc":"2.0"}`);
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

describe('the record', () => {
  it('has every message as it was sent, but for line ends between its parts', async () => {
    const { messages, stderr } = await proxy.stop();
    for (const [server, texts] of sent) {
      const recorded = messages.filter(
        (each) => each.server === server && each.direction === 'to-server',
      );
      const own = recorded.map(({ message }) => message.text);
      // The first of the stdio server is the initialize.
      expect(own.slice(server === 'stdio' ? 1 : 0)).toEqual(texts.map(oneLine));
    }
    expect(stderr).not.toContain('warning');
  });
});

function withId([request, id]: [request: string, id: string]): string {
  return request.replace(idMark, () => id);
}

/** A line end in JSON can only stand between its parts. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
