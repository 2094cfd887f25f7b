import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Multiples of it fill an interval evenly, however many there are. */
const evenStep = (Math.sqrt(5) - 1) / 2;

/** Milliseconds: calls take any time in between. */
interface WaitingTimes {
  shortest: number;
  longest: number;
}

export interface WaitingServer {
  url: string;
  close(): Promise<void>;
}

/** An MCP server over HTTP with a tool that waits, which takes no time of the processor. */
export async function startWaitingServer({
  shortest,
  longest,
}: WaitingTimes): Promise<WaitingServer> {
  const server = createServer((request, response) => void respond(request, response));
  let calls = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(await text(request)) as { id?: number; method: string };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = await answerTo(method);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  async function answerTo(method: string): Promise<object> {
    if (method === 'initialize') {
      const serverInfo = { name: 'waiting', version: '1' };
      return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
    }
    if (method === 'tools/list') {
      return { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
    }
    if (method !== 'tools/call') return {};
    await delay(shortest + (longest - shortest) * ((++calls * evenStep) % 1));
    return { content: [{ type: 'text', text: 'waited' }] };
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
