import type { IncomingMessage } from 'node:http';
import { openRequest, type RawResponse, sendRequest } from '../../testing/raw-requests.js';

/** A JSON-RPC message as a test looks at it. */
export interface AgentMessage {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { content?: { text: string }[]; [key: string]: unknown };
  error?: { code: number; message: string };
}

export interface Reply extends RawResponse {
  messages: AgentMessage[];
  /** The answer to the request. */
  answer: AgentMessage | undefined;
}

interface CallOptions {
  id?: number;
  args?: unknown;
  progressToken?: number;
}

const postHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** An agent's session with a server, close to the wire: what comes back is shown as it is. */
export class AgentSession {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #requests = 0;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  static async open(url: string): Promise<AgentSession> {
    const { status, headers, body } = await initialize(url);
    if (status !== 200) throw new Error(`initialize was answered with ${status}: ${body}`);
    const id = headers['mcp-session-id'];
    const session = new AgentSession(url, typeof id === 'string' ? { 'mcp-session-id': id } : {});
    await session.notify('notifications/initialized');
    return session;
  }

  request(method: string, params: unknown = {}, id = ++this.#requests): Promise<Reply> {
    return this.post({ jsonrpc: '2.0', id, method, params });
  }

  call(name: string, { id, args = {}, progressToken }: CallOptions = {}): Promise<Reply> {
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    return this.request('tools/call', { name, arguments: args, ...meta }, id);
  }

  /** Of a call that goes well. */
  async text(name: string, args: unknown = {}): Promise<string> {
    const { answer, body } = await this.call(name, { args });
    const text = answer?.result?.content?.[0]?.text;
    if (text === undefined) throw new Error(`${name} was answered with ${body}`);
    return text;
  }

  notify(method: string, params: unknown = {}): Promise<Reply> {
    return this.post({ jsonrpc: '2.0', method, params });
  }

  async post(message: unknown): Promise<Reply> {
    const headers = { ...postHeaders, ...this.#headers };
    return replyOf(await sendRequest(this.#url, { headers, body: JSON.stringify(message) }));
  }

  /** Sends a request and gives the stream of its answer; nothing of it is read yet. */
  callStream(name: string, id = ++this.#requests): Promise<IncomingMessage> {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } };
    const headers = { ...postHeaders, ...this.#headers };
    return openRequest(this.#url, { headers, body: JSON.stringify(message) });
  }

  /** The stream that an agent opens by GET; nothing of it is read yet. */
  stream(headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const accept = { accept: 'text/event-stream' };
    return openRequest(this.#url, {
      method: 'GET',
      headers: { ...accept, ...this.#headers, ...headers },
    });
  }

  end(): Promise<RawResponse> {
    return sendRequest(this.#url, { method: 'DELETE', headers: this.#headers });
  }
}

/** The first request of a session. */
export async function initialize(url: string): Promise<Reply> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'agent', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  return replyOf(await sendRequest(url, { headers: postHeaders, body }));
}

function replyOf(response: RawResponse): Reply {
  const messages = messagesIn(response);
  const answer = messages.findLast(({ result, error }) => result ?? error);
  return { ...response, messages, answer };
}

function messagesIn({ headers, body }: RawResponse): AgentMessage[] {
  const type = headers['content-type'] ?? '';
  const text = body.toString();
  if (type.startsWith('text/event-stream')) return eventsIn(text);
  return type.startsWith('application/json') && text.endsWith('}') ? [JSON.parse(text)] : [];
}

/** The messages of a stream's text; events of other types are for nobody. */
export function eventsIn(text: string): AgentMessage[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const type = fieldOf(block, 'event') ?? 'message';
      const data = fieldOf(block, 'data');
      return type === 'message' && data !== undefined ? [JSON.parse(data)] : [];
    });
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').findLast((each) => each.startsWith(`${name}: `));
  return line?.slice(`${name}: `.length);
}
