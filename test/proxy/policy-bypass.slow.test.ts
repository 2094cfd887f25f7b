import { describe, expect, it } from 'vitest';
import { sendRequest } from '../../testing/raw-requests.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { initialize } from '../support/agent-session.js';
import { type ProxyResult, RunningProxy, stdioServer } from '../support/running-proxy.js';

/** What an agent could send to a tool that it may not call. Nothing of it reaches the server. */
const policy = { enableAllTools: false, alwaysAllow: ['received'] };
const json = { 'content-type': 'application/json' };

/** A server that tells what it got, and how an agent gets to it. */
interface Target {
  proxy: RunningProxy;
  send(body: string, headers?: Record<string, string>): ReturnType<typeof sendRequest>;
  received(): Promise<string[]>;
}

async function openStdio(more: object = policy): Promise<Target> {
  const stdio = stdioServer('remembering-stdio-server.mjs', [], more);
  const proxy = await RunningProxy.start({ stdio });
  const { headers } = await initialize(proxy.url('stdio'));
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  const send: Target['send'] = (body, others = json) =>
    sendRequest(proxy.url('stdio'), { headers: { ...session, ...others }, body });
  const received = async () => {
    const { body } = await send(request('tools/call', '{"name":"received"}'));
    const text = /data: (.*)/.exec(body.toString())?.[1] ?? body.toString();
    return JSON.parse(JSON.parse(text).result.content[0].text).slice(1, -1);
  };
  return { proxy, send, received };
}

async function openHttp(more: object = policy): Promise<Target> {
  const server = await ScriptedHttpServer.listen({
    others: ({ body, response }) => {
      const messages = [JSON.parse(body)].flat().filter(({ id }) => id !== undefined);
      const answers = messages.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }));
      if (answers.length === 0) response.writeHead(202).end();
      else answerJson(response, body.startsWith('[') ? answers : answers[0]);
    },
  });
  const proxy = await RunningProxy.start({ http: { url: server.url, ...more } });
  const send: Target['send'] = (body, headers = json) =>
    sendRequest(proxy.url('http'), { headers, body });
  return { proxy, send, received: async () => server.received.map(({ body }) => body) };
}

const targets = [
  ['stdio', openStdio],
  ['http', openHttp],
] as const;

function request(method: string, params: string, id = '7'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

function blockedIn({ calls }: ProxyResult) {
  return calls.filter(({ name }) => name === 'forbidden').map(({ blocked }) => blocked);
}

describe.each(targets)('over %s, a body', (_name, open) => {
  it.each([
    'application/json; charset=utf-7',
    'application/json;charset=UTF-16LE',
    'application/json; charset="iso-8859-1"',
    'application/json; charset=utf-8; charset=utf-7',
    'application/json; foo=bar; charset=utf-7',
    'text/plain',
    'text/json-seq',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('of type %s is refused', async (type) => {
    const { send, received } = await open();
    // As UTF-7, this is `tools/call`.
    const body = request('+AHQ-ools/call', '{"name":"forbidden"}');
    const reply = await send(body, { 'content-type': type });
    expect(reply.status).toBe(415);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(await received()).toEqual([]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;Charset="UTF-8"',
  ])('of type %s is taken', async (type) => {
    const { send, received } = await open();
    const reply = await send(request('ping', '{}'), { 'content-type': type });
    expect(reply.status).toBe(200);
    expect(await received()).toHaveLength(1);
  });
});

describe.each(targets)('over %s, a call without an id', (_name, open) => {
  const call = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"forbidden"}}';

  it('of a tool that is not allowed is kept from the server', async () => {
    const { proxy, send, received } = await open();
    const { status, body } = await send(call);
    expect({ status, body: body.toString() }).toEqual({ status: 202, body: '' });
    expect(await received()).toEqual([]);
    expect(blockedIn(await proxy.stop())).toEqual([true]);
  });

  it('within a batch is kept from the server, too', async () => {
    const { proxy, send, received } = await open();
    expect((await send(`[${call},${call}]`)).status).toBe(202);
    expect((await send(`[${call},${request('ping', '{}')}]`)).status).toBe(200);
    const lines = await received();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"ping"');
    expect(lines[0]).not.toContain('forbidden');
    expect(blockedIn(await proxy.stop())).toEqual([true, true, true]);
  });
});

/** Which of two members counts is up to the parser: ours and the server's may not agree. */
const ambiguous = [
  '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"forbidden"}}',
  '{"METHOD":"tools/call","jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","meth\\u006fd":"tools/call","params":{"name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forbidden"},"params":{"name":"received"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"received"},"Params":{"name":"forbidden"}}',
  // Go takes this letter for an s.
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"received"},"param\u017f":{"name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forbidden","name":"received"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"received","Name":"forbidden"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"NAME":"forbidden","name":"received"}}',
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"received"}}',
  '{"jsonrpc":"2.0","id":1,"ID":2,"method":"tools/call","params":{"name":"received"}}',
];

describe.each(targets)('over %s, a message that can be read in two ways', (_name, open) => {
  it('is refused', async () => {
    const { proxy, send, received } = await open();
    for (const body of ambiguous) {
      for (const text of [body, `[${body}]`, `[${request('ping', '{}')},${body}]`]) {
        expect([text, (await send(text)).status]).toEqual([text, 400]);
      }
    }
    expect(await received()).toEqual([]);
    expect((await proxy.stop()).exitCode).toBe(0);
  });

  it('passes where nothing depends on it', async () => {
    const { send, received } = await open();
    const params =
      '{"name":"received","arguments":{"name":"a","Name":"b","name":"c","id":1,"id":2}}';
    expect((await send(request('tools/call', params))).status).toBe(200);
    expect((await received())[0]).toContain('"name":"a","Name":"b","name":"c","id":1,"id":2');
  });

  it('passes where every tool is allowed', async () => {
    const { send, received } = await open({ enableAllTools: true });
    expect((await send(request('tools/call', '{"name":"x","Name":"y"}'))).status).toBe(200);
    expect((await received())[0]).toContain('{"name":"x","Name":"y"}');
  });
});

describe.each([
  ['some tools are', policy],
  ['every tool is', { enableAllTools: true }],
])('where %s allowed', (_which, more) => {
  it.each(targets)('over %s, JSON that is no message is refused', async (_name, start) => {
    const { proxy, send, received } = await start(more);
    const junk = [
      '{}',
      '{"level":30}',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","id":1,"method":5}',
      '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"forbidden"}}',
      '[{}]',
      `[${request('ping', '{}')},{"level":30}]`,
    ];
    for (const body of junk) {
      expect([body, (await send(body)).status]).toEqual([body, 400]);
    }
    expect(await received()).toEqual([]);
    expect((await proxy.stop()).exitCode).toBe(0);
  });
});
