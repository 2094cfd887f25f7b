import { sendRequest } from './raw-request.js';

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
