import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { McpClient } from '../../src/mcp/mcp-client.js';
import { connectV2, outcomeOf } from '../../testing/mcp-clients.js';
import {
  answerJson,
  event,
  type ReceivedRequest,
  ScriptedHttpServer,
  startStream,
} from '../../testing/scripted-http-server.js';
import { callOf, proxyBefore, stop } from '../support/hostile-http.js';
import { bridgeTo, call } from '../support/scripted-bridge.js';

// An answer with neither result nor error; faulty-answers.test.ts has it over stdio.

type Script = Record<string, (request: ReceivedRequest) => void>;

const fault = 'it has neither a result nor an error';
const empty = (id: unknown) => ({ jsonrpc: '2.0', id });

/** The stream stays open: nobody may wait for its end. */
const transports: Record<string, { script: Script; type?: string }> = {
  'a JSON body': {
    script: { 'POST tools/call': ({ id, response }) => answerJson(response, empty(id)) },
  },
  'an event of a stream': {
    script: {
      'POST tools/call': ({ id, response }) => startStream(response).write(event(empty(id))),
    },
  },
  'an event of the old HTTP+SSE transport': { script: eventStreamServer(), type: 'sse' },
};

function eventStreamServer(): Script {
  let stream: ServerResponse | undefined;
  return {
    GET: ({ response }) => {
      stream = startStream(response);
      stream.write('event: endpoint\ndata: ?post\n\n');
    },
    'POST initialize': ({ id, response }) => {
      response.writeHead(202).end();
      stream?.write(event({ ...empty(id), result: { protocolVersion: '2024-11-05' } }));
    },
    'POST tools/call': ({ id, response }) => {
      response.writeHead(202).end();
      stream?.write(event(empty(id)));
    },
  };
}

describe.each(Object.entries(transports))(
  'an empty answer in %s',
  (_what, { script, type = 'http' }) => {
    it('is an error of the call, for the client behind the proxy and in the record', async () => {
      const server = await ScriptedHttpServer.listen(script);
      const proxy = await proxyBefore(server.url, { type });
      const client = await McpClient.connect(proxy.url('hostile'), { mode: 'stateful' });
      const outcome = await client.callTool('any', {});
      expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining(fault) });
      await client.close();
      expect(callOf(await stop(proxy))).toMatchObject({ isError: true, malformed: fault });
    });
  },
);

it('is an error of the call for an agent, too, whose client passes over what is no answer', async () => {
  const server = await ScriptedHttpServer.listen({
    'POST initialize': ({ id, response }) => {
      const serverInfo = { name: 'hostile', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      answerJson(response, { ...empty(id), result });
    },
    'POST tools/call': ({ id, response }) => startStream(response).end(event(empty(id))),
  });
  const proxy = await proxyBefore(server.url);
  const { client, callTool } = await connectV2('v2 legacy', { url: proxy.url('hostile') });
  expect(await outcomeOf(callTool('any'))).toMatchObject({
    failed: { code: -32000, message: expect.stringContaining(fault) },
  });
  await client.close();
  expect(callOf(await stop(proxy))).toMatchObject({ isError: true, malformed: fault });
});

const httpTransports = Object.entries(transports).filter(([, { type }]) => type === undefined);

describe.each(httpTransports)('an empty answer in %s', (_what, { script }) => {
  it('is an error of the call for a client of its own', async () => {
    const server = await ScriptedHttpServer.listen(script);
    const client = await McpClient.connect(server.url, { mode: 'stateful' });
    const outcome = await client.callTool('any', {});
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining(fault) });
    await client.close();
  });

  it('is an error of the call through the bridge, and others go on', async () => {
    const { bridge } = await bridgeTo(script);
    const message = `the server's answer is malformed: ${fault}`;
    bridge.send(call);
    expect(await bridge.message()).toEqual({ ...empty(1), error: { code: -32000, message } });
    bridge.send({ ...call, id: 'two' });
    expect(await bridge.message()).toEqual({ ...empty('two'), error: { code: -32000, message } });
  });
});
