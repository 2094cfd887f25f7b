import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { onLoneTestFinished } from './test-end.js';

/** Part of the path of every URL: must never be shown to anybody. */
export const secretToken = 'Zm9ybXVsYS1vZi10aGUtc2VjcmV0';

export interface ReceivedRequest {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** `POST tools/call`, `GET`, `DELETE`. */
  name: string;
  id: unknown;
  response: ServerResponse;
}

type Script = Record<string, (request: ReceivedRequest) => void>;

/** An MCP server that says exactly what a test wants, byte by byte. Ends with the test. */
export class ScriptedHttpServer {
  /** In order of arrival. */
  readonly received: ReceivedRequest[] = [];
  readonly origin: string;
  readonly url: string;
  readonly #server: Server;

  static async listen(
    script: Script,
    onTestFinished: TestContext['onTestFinished'] = onLoneTestFinished,
  ): Promise<ScriptedHttpServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const scripted = new ScriptedHttpServer(server, script);
    onTestFinished(() => scripted.close());
    return scripted;
  }

  private constructor(server: Server, script: Script) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = `${this.origin}/${secretToken}/server`;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        const message = body === '' ? {} : JSON.parse(body);
        const name = [method, message.method].filter(Boolean).join(' ');
        const entry = { method, headers, body, name, id: message.id, response };
        this.received.push(entry);
        const answer = script[name] ?? defaults[name] ?? script.others;
        if (answer) answer(entry);
        else response.writeHead(404).end();
        server.emit('received');
      });
    });
  }

  get names(): string[] {
    return this.received.map(({ name }) => name);
  }

  /** The request with that name, when it is there. */
  async request(name: string, count = 1): Promise<ReceivedRequest> {
    for (;;) {
      const found = this.received.filter((request) => request.name === name)[count - 1];
      if (found) return found;
      await once(this.#server, 'received');
    }
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A server of revision 2025-11-25 without a stream of its own. */
const defaults: Script = {
  'POST initialize': ({ id, response }) => {
    response.setHeader('mcp-session-id', 'session-1');
    answerJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });
  },
  'POST notifications/initialized': ({ response }) => response.writeHead(202).end(),
  GET: ({ response }) => response.writeHead(405).end(),
  DELETE: ({ response }) => response.writeHead(200).end(),
};

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** Answers a request with an empty result. */
export function echo({ id, response }: ReceivedRequest): void {
  answerJson(response, { jsonrpc: '2.0', id, result: {} });
}

export function startStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** One event of a stream. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}
