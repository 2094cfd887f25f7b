import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '../../testing/raw-requests.js';
import { answerJson, ScriptedHttpServer, startStream } from '../../testing/scripted-http-server.js';
import { AgentSession, initialize } from '../support/agent-session.js';
import { type Answer, proxyBefore, startProxy, stop } from '../support/hostile-http.js';
import { type ProxyResult, RunningProxy, stdioServer } from '../support/running-proxy.js';

/** A parser takes it, but whoever goes through it by calling himself runs out of stack. */
const levels = 30_000;
const deepList = `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepObject = `${'{"content":'.repeat(levels)}{}${'}'.repeat(levels)}`;

const other = stdioServer('hostile-stdio-server.mjs');
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

describe('a message of an agent that is nested too deep', () => {
  /** Answers without a look at the id, which could not be written. */
  const answerAnyhow: Answer = ({ response }) =>
    answerJson(response, '{"jsonrpc":"2.0","id":1,"result":{}}');

  const call = (params: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const meta = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
  const messages = {
    id: `{"jsonrpc":"2.0","id":${deepList},"method":"ping"}`,
    'id of an initialize': `{"jsonrpc":"2.0","id":${deepList},"method":"initialize","params":{}}`,
    'requestId of a cancellation': `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${deepList}}}`,
    'name of a tool': call(`{"name":${deepList}}`),
    'name of a tool without an id': `{"jsonrpc":"2.0","method":"tools/call","params":{"name":${deepList}}}`,
    'arguments of a tool': call(`{"name":"pid","arguments":${deepObject}}`),
    progressToken: call(`{"name":"pid","_meta":{"progressToken":${deepList}}}`),
    'state of a retry': call(
      `{"name":"pid","requestState":${deepList},"inputResponses":${deepObject},"_meta":{${meta}}}`,
    ),
    'capabilities of a client': `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":${deepObject}}}`,
    'taskId of a task': `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":${deepList}}}`,
    'uri of a resource': `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":${deepList}}}`,
    'id of an answer': `{"jsonrpc":"2.0","id":${deepList},"result":{}}`,
    'error of an answer': `{"jsonrpc":"2.0","id":1,"error":${deepObject}}`,
    'message of a batch': `[{"jsonrpc":"2.0","id":${deepList},"method":"ping"}]`,
  };

  const works = stdioServer('remembering-stdio-server.mjs');
  const some = { enableAllTools: false, alwaysAllow: ['received'] };

  it.each([
    ['http', {}],
    ['http', some],
    ['stdio', {}],
    ['stdio', some],
  ])('does no harm before a server on %s with %o', async (kind, more) => {
    const server = await ScriptedHttpServer.listen({
      'POST initialize': answerAnyhow,
      others: answerAnyhow,
    });
    const target = kind === 'stdio' ? works : { url: server.url, enableAllTools: true };
    const proxy = await RunningProxy.start({ hostile: { ...target, ...more }, other });
    for (const [where, body] of Object.entries(messages)) {
      expect([200, 202, 400], where).toContain(await outcomeOf(proxy, body));
    }
    await expectSurvival(proxy);
  });
});

describe('a message of a server that is nested too deep', () => {
  const answer = (members: string) => `{"jsonrpc":"2.0",${members}}`;
  const messages = {
    result: answer(`"id":<ID>,"result":{"content":[${deepObject}]}`),
    'result that is a list': answer(`"id":<ID>,"result":${deepList}`),
    'structured content': answer(`"id":<ID>,"result":{"structuredContent":${deepObject}}`),
    'request for input': answer(
      `"id":<ID>,"result":{"resultType":"input_required","requestState":${deepList},"inputRequests":${deepObject}}`,
    ),
    error: answer(`"id":<ID>,"error":{"code":1,"message":"no","data":${deepObject}}`),
  };
  /** No answer: one has to come after it. */
  const others = {
    'id of an answer': answer(`"id":${deepList},"result":{}`),
    'id of a request': answer(`"id":${deepList},"method":"roots/list"`),
    'params of a request': answer(
      `"id":1,"method":"sampling/createMessage","params":${deepObject}`,
    ),
    'progress token': answer(
      `"method":"notifications/progress","params":{"progressToken":${deepList},"progress":1}`,
    ),
    'requestId of a cancellation': answer(
      `"method":"notifications/cancelled","params":{"requestId":${deepList}}`,
    ),
    'task of a notification': answer(
      `"method":"notifications/tasks/status","params":{"taskId":${deepList}}`,
    ),
    'line that is no message': deepObject,
  };
  const real = answer('"id":<ID>,"result":{"content":[]}');
  const said = new Map<string, readonly string[]>([
    ...Object.entries(messages).map(([where, text]) => [where, [text]] as const),
    ...Object.entries(others).map(([where, text]) => [where, [text, real]] as const),
  ]);

  const callOf = (name: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

  it('does no harm as JSON', async () => {
    const { proxy } = await startProxy(({ id, body, response }) => {
      const [text = ''] = said.get(JSON.parse(body).params.name) ?? [];
      answerJson(response, text.replace('<ID>', String(id)));
    });
    for (const where of said.keys()) {
      expect([200, 502], where).toContain(await outcomeOf(proxy, callOf(where)));
    }
    await expectSurvival(proxy);
  });

  it('does no harm in a stream', async () => {
    const { proxy } = await startProxy(({ id, body, response }) => {
      const texts = said.get(JSON.parse(body).params.name) ?? [];
      const events = texts.map((text) => `data: ${text.replace('<ID>', String(id))}\n\n`);
      startStream(response).end(events.join(''));
    });
    for (const where of said.keys()) {
      expect([where, await outcomeOf(proxy, callOf(where))]).toEqual([where, 200]);
    }
    expect(unfinishedIn(await expectSurvival(proxy))).toEqual(['request for input']);
  });

  it('does no harm on stdio', async () => {
    const proxy = await RunningProxy.start({ hostile: other, other });
    for (const [where, texts] of said) {
      const params = { name: 'say', arguments: { line: texts.join('\n') } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      expect([where, await outcomeOf(proxy, body)]).toEqual([where, 200]);
    }
    expect(unfinishedIn(await expectSurvival(proxy))).toEqual(['say']);
  });
});

/** The status of the answer to a message of a new session, or why there is none. */
async function outcomeOf(proxy: RunningProxy, body: string): Promise<unknown> {
  const url = proxy.url('hostile');
  try {
    const { headers: given } = await initialize(url);
    const id = given['mcp-session-id'];
    const session = typeof id === 'string' ? { 'mcp-session-id': id } : {};
    const reply = await sendRequest(url, { headers: { ...headers, ...session }, body });
    // As long as it has its own wits about it, it also answers the next.
    await initialize(url);
    return reply.isCut ? 'cut' : reply.status;
  } catch (error) {
    return error;
  }
}

async function expectSurvival(proxy: RunningProxy): Promise<ProxyResult> {
  const result = await stop(proxy);
  expect(result.events.at(-1)?.type).toBe('run-ended');
  // Deep is not large.
  expect(result.warnings.filter(({ code }) => code === 'message-too-large')).toEqual([]);
  return result;
}

/** Only what waits for the agent has no end. */
function unfinishedIn({ calls }: ProxyResult): unknown[] {
  return calls.filter(({ unfinished }) => unfinished).map(({ name }) => name);
}

it('a line that never ends ends the server that writes it', async () => {
  const proxy = await RunningProxy.start({ hostile: other, other });
  const session = await AgentSession.open(proxy.url('hostile'));
  const { answer } = await session.call('endless', { args: { millions: 300 } });
  expect(answer?.error?.message).toContain('sent too much in one line');
  const { warnings, events } = await stop(proxy);
  expect(warnings.map(({ code }) => code)).toEqual(['message-too-large']);
  expect(events.at(-1)?.type).toBe('run-ended');
});

it.each(['099', '101', '103', '999'])('a server that answers with HTTP %s', async (code) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const type = 'content-type: application/json\r\ncontent-length: 2';
    socket.once('data', () => socket.end(`HTTP/1.1 ${code} Odd\r\n${type}\r\n\r\n{}`));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxy = await proxyBefore(`http://127.0.0.1:${port}/`);
  const { status, isCut } = await initialize(proxy.url('hostile'));
  expect({ status, isCut }).toEqual({ status: 502, isCut: false });
  const { events, calls } = await stop(proxy, { isDown: true });
  expect(events.at(-1)?.type).toBe('run-ended');
  expect(calls[0]).toMatchObject({ method: 'initialize', isError: true });
});
