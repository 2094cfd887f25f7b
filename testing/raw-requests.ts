import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** As it is, in place of the one in the address. */
  path?: string;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The connection broke within the body. */
  isCut: boolean;
}

/** Sends a request over a connection of its own and gives the response when its headers are there. */
export function openRequest(url: string, request: RawRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => start(url, request, resolve, reject));
}

export function sendRequest(url: string, request: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      const { statusCode = 0, headers } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('close', () => {
        const body = Buffer.concat(chunks);
        resolve({ status: statusCode, headers, body, isCut: !response.complete });
      });
    };
    start(url, request, read, reject);
  });
}

function start(
  url: string,
  { method = 'POST', headers = {}, body, path }: RawRequest,
  answered: (response: IncomingMessage) => void,
  failed: (error: Error) => void,
): void {
  const request = http.request(url, {
    method,
    headers,
    agent: false,
    ...(path !== undefined && { path }),
  });
  request.once('response', (response) => {
    // How it ended is seen by `complete`.
    response.on('error', () => {});
    answered(response);
  });
  request.on('error', failed);
  request.end(body);
}

const version = '2026-07-28';

interface ModernOptions {
  capabilities?: object;
  /** Instead of those that go with the message. */
  headers?: Record<string, string>;
  id?: number | string;
}

interface ModernReply {
  status: number;
  text: string;
  answer: { id?: unknown; result: Record<string, unknown>; error?: unknown };
}

/** A request of the stateless era as it goes over the wire. */
export function modernMessage(
  method: string,
  params: Record<string, unknown> = {},
  { capabilities = {}, headers = {}, id = 1 }: ModernOptions = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
  };
}

/** Sends one, and shows what comes back. */
export async function modernRequest(
  url: string,
  ...message: Parameters<typeof modernMessage>
): Promise<ModernReply> {
  const { status, headers, body } = await sendRequest(url, modernMessage(...message));
  const text = body.toString();
  const isStream = /^text\/event-stream/.test(headers['content-type'] ?? '');
  const last = isStream ? text.split('data: ').at(-1) : text;
  return { status, text, answer: JSON.parse(last ?? '') };
}
