import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import {
  answerJson,
  event,
  type ReceivedRequest,
  ScriptedHttpServer,
  startStream,
} from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { proxyBefore, stop } from '../support/hostile-http.js';

const tool = (name: string, header: string) => ({
  name,
  inputSchema: { properties: { a: { type: 'string', 'x-mcp-header': header } } },
});
const result = { tools: [tool('good', 'Region'), tool('bad', 'My Region')] };

/** A server of the old HTTP+SSE transport: the proxy treats it as it does one on stdio. */
function eventStreamServer() {
  let stream: ServerResponse | undefined;
  const answerOnStream = (answer: object) => {
    return ({ id, response }: ReceivedRequest) => {
      response.writeHead(202).end();
      stream?.write(event({ jsonrpc: '2.0', id, result: answer }));
    };
  };
  return {
    GET: ({ response }: ReceivedRequest) => {
      stream = startStream(response);
      stream.write('event: endpoint\ndata: ?post\n\n');
    },
    'POST initialize': answerOnStream({ protocolVersion: '2024-11-05' }),
    'POST tools/list': answerOnStream(result),
  };
}

const httpServer = {
  'POST tools/list': ({ id, response }: ReceivedRequest) =>
    answerJson(response, { jsonrpc: '2.0', id, result }),
};

it.each([
  ['http', httpServer],
  ['sse', eventStreamServer()],
])('warns of a tool that clients leave out, and passes the list on: %s', async (type, script) => {
  const server = await ScriptedHttpServer.listen(script);
  const proxy = await proxyBefore(server.url, { type });
  const session = await AgentSession.open(proxy.url('hostile'));
  const { answer } = await session.request('tools/list');
  expect(answer?.result).toEqual(result);
  const { warnings } = await stop(proxy);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    [
      'tool-left-out',
      'clients leave out the tool "bad": x-mcp-header "My Region" cannot be part of the name of a header',
    ],
  ]);
});
