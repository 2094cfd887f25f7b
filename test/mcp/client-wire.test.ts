import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { McpClient, type McpError } from '../../src/mcp/mcp-client.js';
import { JsonArguments } from '../../src/mcp/rpc-message.js';
import {
  answerJson,
  echo,
  event,
  type ReceivedRequest,
  ScriptedHttpServer,
  secretToken,
  startStream,
} from '../../testing/scripted-http-server.js';
import { failureOf } from '../support/mcp-failure.js';

const me = { name: 'proctor-test' };

/** A server of the stateful era that has tools. */
const withTools = {
  'POST initialize': ({ id, response }: ReceivedRequest) => {
    response.setHeader('mcp-session-id', 'session-1');
    const result = { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} } };
    answerJson(response, { jsonrpc: '2.0', id, result });
  },
};

type Script = Parameters<typeof ScriptedHttpServer.listen>[0];

/** A client of a server that does what the script says. */
async function connect(script: Script, options: { probeLimitMs?: number } = {}) {
  const server = await ScriptedHttpServer.listen({ ...withTools, ...script });
  const client = await McpClient.connect(server.url, { ...me, ...options });
  return { server, client };
}

/** Calls with a server that answers with this text; `<ID>` stands for the request's id. */
async function outcomeOfAnswer(text: string) {
  const { client } = await connect({
    'POST tools/call': ({ id, response }) =>
      answerJson(response, text.replaceAll('<ID>', String(id))),
  });
  const outcome = await client.callTool('any', {});
  await client.close();
  return outcome;
}

async function failureToConnect(script: Script, timeoutMs?: number): Promise<McpError> {
  const server = await ScriptedHttpServer.listen(script);
  const options = timeoutMs === undefined ? me : { ...me, timeoutMs };
  const error = await failureOf(McpClient.connect(server.url, options));
  expect(error.message).not.toContain(secretToken);
  return error;
}

describe('connecting', () => {
  it('tries the new era first, and sends nothing that is not needed', async () => {
    const { server, client } = await connect({ 'POST tools/call': echo });
    await client.callTool('any', { a: 1 });
    await client.close();
    expect(server.names).toEqual([
      'POST server/discover',
      'POST initialize',
      'POST notifications/initialized',
      'POST tools/call',
      'DELETE',
    ]);
    const [discover, , initialized, call, end] = server.received;
    expect(discover?.headers).toMatchObject({ 'mcp-method': 'server/discover' });
    for (const request of [initialized, call, end]) {
      expect(request?.headers).toMatchObject({
        'mcp-session-id': 'session-1',
        'mcp-protocol-version': '2025-06-18',
      });
    }
  });

  it.each([401, 403, 500])('does not try the old era after HTTP %i', async (status) => {
    const error = await failureToConnect({
      'POST server/discover': ({ response }) => response.writeHead(status).end(),
    });
    expect(error).toMatchObject({ code: 'refused', status });
    expect(error.message).toBe(`The server answered with HTTP ${status}.`);
  });

  it('tells why the server refuses', async () => {
    const error = await failureToConnect({
      'POST initialize': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32000, message: 'closed' } }),
    });
    expect(error).toMatchObject({ code: 'refused', rpcError: { code: -32000 } });
    expect(error.message).toBe('The server answered initialize with an error: closed');
  });

  it.each([
    ['a page of HTML', '<html>'],
    ['an empty result', '{"jsonrpc":"2.0","id":2,"result":{}}'],
    ['nothing', ''],
  ])('needs an answer, and not %s', async (_what, text) => {
    const error = await failureToConnect({
      'POST initialize': ({ response }) => answerJson(response, text),
    });
    expect(error.code).toBe('unusable');
  });

  it('ends the session with a server of a version that it does not know', async () => {
    const server = await ScriptedHttpServer.listen({
      'POST initialize': ({ id, response }) => {
        response.setHeader('mcp-session-id', 'session-1');
        answerJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2031-01-01' } });
      },
    });
    const error = await failureOf(McpClient.connect(server.url, me));
    expect(error.message).toContain('2031-01-01');
    expect(server.names).toContain('DELETE');
  });

  it('knows a server that is too new', async () => {
    const error = await failureToConnect({
      'POST server/discover': ({ id, response }) => {
        const data = { supported: ['2031-01-01'], requested: '2026-07-28' };
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data } });
      },
    });
    expect(error.message).toContain('2031-01-01');
  });

  it('asks again where the server refuses the revision that it says it supports', async () => {
    let asked = 0;
    const { server, client } = await connect({
      'POST server/discover': ({ id, response }) => {
        asked += 1;
        const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
        const error = { code: -32022, message: 'not yet', data };
        const refused = { jsonrpc: '2.0', id, error };
        const found = { jsonrpc: '2.0', id, result: { supportedVersions: ['2026-07-28'] } };
        answerJson(response, asked === 1 ? refused : found);
      },
    });
    expect(client.protocolVersion).toBe('2026-07-28');
    await client.close();
    expect(server.names).toEqual(['POST server/discover', 'POST server/discover']);
  });

  it('finds nobody there', async () => {
    const server = await ScriptedHttpServer.listen({});
    server.close();
    const error = await failureOf(McpClient.connect(server.url, me));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('has a limit if it is given one', async () => {
    const error = await failureToConnect({ 'POST server/discover': () => {} }, 50);
    expect(error).toMatchObject({
      code: 'timeout',
      message: 'The server did not answer within 0.05 s.',
    });
  });

  it('can be called off', async () => {
    const server = await ScriptedHttpServer.listen({ 'POST server/discover': () => {} });
    const controller = new AbortController();
    const connecting = failureOf(
      McpClient.connect(server.url, { ...me, signal: controller.signal }),
    );
    await server.request('POST server/discover');
    controller.abort();
    expect(await connecting).toMatchObject({ code: 'aborted' });
  });

  it('asks a server of the new era again that only took its time', async () => {
    const found = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    let asked = 0;
    const { client } = await connect(
      {
        'POST server/discover': ({ id, response }) => {
          asked += 1;
          if (asked > 1) answerJson(response, { jsonrpc: '2.0', id, result: found });
        },
        'POST initialize': ({ id, response }) =>
          answerJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }),
      },
      { probeLimitMs: 50 },
    );
    expect(client.protocolVersion).toBe('2026-07-28');
    await client.close();
  });
});

describe('an answer', () => {
  it('may have members that nobody knows, and content of any type', async () => {
    const result = '{"content":[{"type":"hologram","x":1},{"type":"text","text":"b"}],"more":[]}';
    const outcome = await outcomeOfAnswer(
      `{"jsonrpc":"2.0","extra":1,"id":<ID>,"result":${result}}`,
    );
    expect(outcome).toMatchObject({ isError: false, text: '[hologram]\nb' });
    expect(outcome.result).toEqual(JSON.parse(result));
  });

  it('may come in a batch', async () => {
    const outcome = await outcomeOfAnswer(
      '[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":<ID>,"result":{"content":[{"type":"text","text":"a"}]}}]',
    );
    expect(outcome).toMatchObject({ isError: false, text: 'a' });
  });

  it('may be an error', async () => {
    const outcome = await outcomeOfAnswer(
      '{"jsonrpc":"2.0","id":<ID>,"error":{"code":-32602,"message":"wrong"}}',
    );
    expect(outcome).toMatchObject({
      isError: true,
      text: 'wrong',
      error: { code: -32602, message: 'wrong' },
    });
  });

  it.each(['[]', '{"jsonrpc":"2.0","id":999,"result":{}}', 'null', ''])(
    'may be none: %s',
    async (text) => {
      const outcome = await outcomeOfAnswer(text);
      expect(outcome).toMatchObject({
        isError: true,
        text: 'The server ended its answer before the result.',
      });
    },
  );

  it('may be refused by HTTP, with a reason or without', async () => {
    const { client } = await connect({
      'POST tools/call': ({ response }) =>
        answerJson(
          response,
          { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'no session' } },
          404,
        ),
      'POST resources/read': ({ response }) => response.writeHead(502).end('bad gateway'),
    });
    expect(await client.callTool('any', {})).toMatchObject({
      isError: true,
      error: { code: -32001, message: 'no session' },
    });
    expect(await client.readResource('x://y')).toMatchObject({
      isError: true,
      text: 'The server answered with HTTP 502.',
    });
    await client.close();
  });

  it('may break off, and the next call works', async () => {
    let calls = 0;
    const { client } = await connect({
      'POST tools/call': (request) => {
        calls += 1;
        const { id, response } = request;
        const result = { content: [] };
        if (calls > 1) answerJson(response, { jsonrpc: '2.0', id, result });
        else startStream(response).write(': soon\n\n', () => response.destroy());
      },
    });
    expect(await client.callTool('any', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('The connection to the server failed'),
    });
    expect(await client.callTool('any', {})).toMatchObject({ isError: false });
    await client.close();
  });

  it('may come on a stream that was left in between', async () => {
    const { server, client } = await connect({
      'POST tools/call': ({ response }) => {
        startStream(response).end('retry: 1\nid: event-1\ndata: \n\n');
      },
      GET: ({ response }) => {
        const { id } = server.received.find(({ name }) => name === 'POST tools/call') ?? {};
        startStream(response).end(
          event({ jsonrpc: '2.0', id, result: { content: [] } }, 'event-2'),
        );
      },
    });
    expect(await client.callTool('any', {})).toMatchObject({ isError: false, text: '' });
    const { headers } = await server.request('GET');
    expect(headers).toMatchObject({ 'last-event-id': 'event-1', 'mcp-session-id': 'session-1' });
    await client.close();
  });
});

it('answers what the server asks on the way, as somebody without user and model', async () => {
  const questions = ['ping', 'roots/list', 'elicitation/create', 'sampling/createMessage', 'x/y'];
  const { server, client } = await connect({
    'POST tools/call': ({ id, response }) => {
      startStream(response);
      for (const [index, method] of questions.entries()) {
        response.write(event({ jsonrpc: '2.0', id: `question-${index}`, method, params: {} }));
      }
      response.write(event({ jsonrpc: '2.0', method: 'notifications/message', params: {} }));
      response.end(event({ jsonrpc: '2.0', id, result: { content: [] } }));
    },
    POST: ({ response }) => response.writeHead(202).end(),
  });
  expect(await client.callTool('any', {})).toMatchObject({ isError: false });
  await server.request('POST', questions.length);
  await client.close();
  const answers = server.received.filter(({ name }) => name === 'POST').map(({ body }) => body);
  expect(answers.map((body) => JSON.parse(body)).sort(byId)).toMatchObject([
    { id: 'question-0', result: {} },
    { id: 'question-1', result: { roots: [] } },
    { id: 'question-2', result: { action: 'decline' } },
    { id: 'question-3', error: { code: -1 } },
    { id: 'question-4', error: { code: -32601 } },
  ]);
});

it('listens to what the server asks outside of calls, if it says that it can be asked', async () => {
  const server = await ScriptedHttpServer.listen({
    ...withTools,
    GET: ({ response }) => {
      const question = { jsonrpc: '2.0', id: 'question', method: 'roots/list' };
      startStream(response).write(event(question));
    },
    POST: ({ response }) => response.writeHead(202).end(),
  });
  const quiet = await McpClient.connect(server.url, me);
  await quiet.close();
  expect(server.names).not.toContain('GET');
  const client = await McpClient.connect(server.url, { ...me, capabilities: { roots: {} } });
  const { headers, body } = await server.request('POST');
  expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id: 'question', result: { roots: [] } });
  expect(headers).toMatchObject({ 'mcp-session-id': 'session-1' });
  const { response } = await server.request('GET');
  const closed = once(response, 'close');
  await client.close();
  await closed;
});

describe('input that a result asks for', () => {
  const discovered = ({ id, response }: ReceivedRequest) =>
    answerJson(response, {
      jsonrpc: '2.0',
      id,
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
  const asking = (inputRequests: object) => ({
    'POST server/discover': discovered,
    'POST tools/call': ({ id, body, response }: ReceivedRequest) => {
      const { inputResponses } = JSON.parse(body).params;
      const asked = { resultType: 'input_required', inputRequests, requestState: 'state-1' };
      const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
      answerJson(response, { jsonrpc: '2.0', id, result: inputResponses ? done : asked });
    },
  });

  it('is declined, with the state as it came and an id of its own', async () => {
    const form = { method: 'elicitation/create', params: { message: 'sure?' } };
    const { server, client } = await connect(asking({ form, dirs: { method: 'roots/list' } }));
    const outcome = await client.callTool('any', { a: 1 });
    expect(outcome).toMatchObject({ isError: false, text: 'done' });
    await client.close();
    const [first, second, ...others] = server.received
      .filter(({ name }) => name === 'POST tools/call')
      .map(({ body }) => JSON.parse(body));
    expect(others).toEqual([]);
    expect(first.params).not.toHaveProperty('requestState');
    expect(second.id).not.toBe(first.id);
    expect(second.params).toMatchObject({
      ...first.params,
      requestState: 'state-1',
      inputResponses: { form: { action: 'decline' }, dirs: { roots: [] } },
    });
  });

  it('is an error where it would need a model, and where it never ends', async () => {
    const sampling = { method: 'sampling/createMessage', params: {} };
    const { server, client } = await connect(asking({ sampling }));
    expect(await client.callTool('any', {})).toMatchObject({
      isError: true,
      text: 'The server asks for input that cannot be given here (sampling/createMessage).',
    });
    expect(server.names.filter((name) => name === 'POST tools/call')).toHaveLength(1);
    await client.close();

    const endless = await connect({
      'POST server/discover': discovered,
      'POST tools/call': ({ id, response }) =>
        answerJson(response, {
          jsonrpc: '2.0',
          id,
          result: { resultType: 'input_required', requestState: 'again' },
        }),
    });
    expect(await endless.client.callTool('any', {})).toMatchObject({ isError: true });
    await endless.client.close();
  });
});

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
}

describe('arguments', () => {
  it('go out as they are, if they are given as text', async () => {
    const { server, client } = await connect({ 'POST tools/call': echo });
    await client.callTool('any', new JsonArguments('{"id":12345678901234567890,"a":1.0}'));
    const { body } = await server.request('POST tools/call');
    expect(body).toContain('"arguments":{"id":12345678901234567890,"a":1.0}');
    await client.close();
  });

  it('may be too deep to be sent', async () => {
    const { server, client } = await connect({ 'POST tools/call': echo });
    const deep = JSON.parse(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`);
    expect(await client.callTool('any', deep)).toMatchObject({
      isError: true,
      text: 'The arguments are nested too deeply to be sent.',
    });
    expect(server.names).not.toContain('POST tools/call');
    await client.close();
  });
});

describe('a list', () => {
  it('is not asked for where the server has none', async () => {
    const { server, client } = await connect({});
    expect(await client.listPrompts()).toEqual([]);
    expect(server.names).not.toContain('POST prompts/list');
    await client.close();
  });

  it('is empty where the server does not know it', async () => {
    const { client } = await connect({
      'POST resources/templates/list': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }),
    });
    expect(await client.listResourceTemplates()).toEqual([]);
    await client.close();
  });

  it('must come to an end', async () => {
    const { client } = await connect({
      'POST tools/list': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, result: { tools: [], nextCursor: 'again' } }),
    });
    const error = await failureOf(client.listTools());
    expect(error.message).toBe("The server's list of tools does not end.");
    await client.close();
  });

  it.each([
    ['no list', { tools: 5 }],
    ['a tool without a name', { tools: [{ title: 'x' }] }],
    ['a description that is none', { tools: [{ name: 'x', description: 7 }] }],
  ])('is not usable with %s', async (_what, result) => {
    const { client } = await connect({
      'POST tools/list': ({ id, response }) => answerJson(response, { jsonrpc: '2.0', id, result }),
    });
    expect(await failureOf(client.listTools())).toMatchObject({ code: 'unusable' });
    await client.close();
  });
});

it.each([
  ['2026-07-28', ['good']],
  ['2025-06-18', ['good', 'bad']],
])('of revision %s, lists the tools whose headers can be sent', async (version, listed) => {
  const isStateless = version === '2026-07-28';
  const schemaWith = (header: string) => ({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  });
  const { client } = await connect({
    ...(isStateless && {
      'POST server/discover': ({ id, response }: ReceivedRequest) =>
        answerJson(response, {
          jsonrpc: '2.0',
          id,
          result: { supportedVersions: [version], capabilities: { tools: {} } },
        }),
    }),
    'POST tools/list': ({ id, response }) => {
      const tools = [
        { name: 'good', inputSchema: schemaWith('Region') },
        { name: 'bad', inputSchema: schemaWith('My Region') },
      ];
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
  });
  expect(client.protocolVersion).toBe(version);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(listed);
  await client.close();
});

describe('the end', () => {
  it('of a call tells the server which one', async () => {
    const { server, client } = await connect({ 'POST tools/call': () => {} });
    const controller = new AbortController();
    const call = failureOf(client.callTool('any', {}, { signal: controller.signal }));
    const { id } = await server.request('POST tools/call');
    controller.abort();
    expect(await call).toMatchObject({ code: 'aborted' });
    const { body } = await server.request('POST notifications/cancelled');
    expect(JSON.parse(body).params).toMatchObject({ requestId: id });
    await client.close();
  });

  it('of a call that had not begun sends nothing', async () => {
    const { server, client } = await connect({ 'POST tools/call': echo });
    const call = client.callTool('any', {}, { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ code: 'aborted' });
    await client.close();
    expect(server.names).not.toContain('POST tools/call');
    expect(server.names).not.toContain('POST notifications/cancelled');
  });

  it('of the client fails what is open, and what comes later', async () => {
    const { server, client } = await connect({ 'POST tools/call': () => {} });
    const call = failureOf(client.callTool('any', {}));
    await server.request('POST tools/call');
    await Promise.all([client.close(), client.close()]);
    expect(await call).toMatchObject({ code: 'closed' });
    expect(await failureOf(client.callTool('any', {}))).toMatchObject({ code: 'closed' });
    expect(server.names.filter((name) => name === 'DELETE')).toHaveLength(1);
  });

  it('does not wait for a server that does not answer', async () => {
    const { client } = await connect({ DELETE: () => {} });
    await client.close();
  });

  it('of everything comes with the signal that the client was given', async () => {
    const server = await ScriptedHttpServer.listen({ ...withTools, 'POST tools/list': () => {} });
    const controller = new AbortController();
    const client = await McpClient.connect(server.url, { ...me, signal: controller.signal });
    const list = failureOf(client.listTools());
    await server.request('POST tools/list');
    controller.abort();
    expect(await list).toMatchObject({ code: 'aborted' });
    await client.close();
  });
});
