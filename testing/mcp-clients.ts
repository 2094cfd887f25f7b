import * as v2 from '@modelcontextprotocol/client';
import * as v2Stdio from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as v1Sse from '@modelcontextprotocol/sdk/client/sse.js';
import * as v1Stdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as v1Http from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** How to reach a server: through the proxy it is always a URL. */
export type Target =
  | { url: string; isSse?: boolean }
  | { command: string; args: string[]; env: Record<string, string> };

interface CallOptions {
  signal?: AbortSignal;
  onprogress?(update: { progress: number }): void;
}

interface Notification {
  method: string;
  params?: Record<string, unknown> | undefined;
}

interface ToolPage {
  tools: { name: string }[];
  nextCursor?: string | undefined;
}

/** What the clients of both SDKs have under the same names. */
export interface CommonClient {
  listTools(params?: { cursor?: string }): Promise<ToolPage>;
  listResources(): Promise<object>;
  listResourceTemplates(): Promise<object>;
  listPrompts(): Promise<object>;
  readResource(params: { uri: string }): Promise<object>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<object>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<object>;
  setLoggingLevel(level: 'debug' | 'error'): Promise<object>;
  subscribeResource(params: { uri: string }): Promise<object>;
  unsubscribeResource(params: { uri: string }): Promise<object>;
  sendRootsListChanged(): Promise<void>;
  ping(): Promise<object>;
  getServerVersion(): object | undefined;
  getServerCapabilities(): object | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

/** A client with everything a server may ask for, and a log of what the server tells it. */
export interface TestClient extends NotificationLog {
  client: CommonClient;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<object>;
}

export type ClientKind = 'v1' | 'v2 legacy' | 'v2 automatic' | 'v2 modern';

const info = { name: 'proxy-test', version: '1' };
const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };

export async function connect(kind: ClientKind, target: Target): Promise<TestClient> {
  return kind === 'v1' ? connectV1(target) : connectV2(kind, target);
}

export async function connectV1(target: Target): Promise<TestClient & { client: V1Client }> {
  const client = new V1Client(info, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(params));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  const log = new NotificationLog();
  client.fallbackNotificationHandler = async (notification) => log.add(notification);
  // Its own types differ under exactOptionalPropertyTypes.
  await client.connect(v1Transport(target) as Parameters<V1Client['connect']>[0]);
  return Object.assign(log, {
    client,
    callTool: (name: string, args = {}, options: CallOptions = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
  });
}

export async function connectV2(
  kind: Exclude<ClientKind, 'v1'>,
  target: Target,
): Promise<TestClient & { client: v2.Client }> {
  const mode = v2Modes[kind];
  const client = new v2.Client(info, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('sampling/createMessage', () => sampled);
  client.setRequestHandler('elicitation/create', ({ params }) => elicited(params));
  client.setRequestHandler('roots/list', () => ({ roots }));
  const log = new NotificationLog();
  client.fallbackNotificationHandler = async (notification) => log.add(notification);
  await client.connect(v2Transport(target));
  return Object.assign(log, {
    client,
    callTool: (name: string, args = {}, options: CallOptions = {}) =>
      client.callTool({ name, arguments: args }, options),
  });
}

const v2Modes = {
  'v2 legacy': 'legacy',
  'v2 automatic': 'auto',
  'v2 modern': { pin: '2026-07-28' },
} as const;

function v1Transport(target: Target) {
  if ('command' in target) {
    return new v1Stdio.StdioClientTransport({ ...target, stderr: 'ignore' });
  }
  const url = new URL(target.url);
  return target.isSse
    ? new v1Sse.SSEClientTransport(url)
    : new v1Http.StreamableHTTPClientTransport(url);
}

function v2Transport(target: Target) {
  if ('command' in target) {
    return new v2Stdio.StdioClientTransport({ ...target, stderr: 'ignore' });
  }
  const url = new URL(target.url);
  return target.isSse ? new v2.SSEClientTransport(url) : new v2.StreamableHTTPClientTransport(url);
}

const roots = [
  { uri: 'file:///one', name: 'One' },
  { uri: 'file:///two', name: 'Two' },
];

const sampled = {
  role: 'assistant' as const,
  model: 'none',
  content: { type: 'text' as const, text: 'sampled by the test' },
};

const knownFields = {
  name: 'Ada',
  interpretation: 'technical',
  color: 'teal',
  ok: true,
  confirm: true,
};

/** Fills in what must be filled in. */
function elicited(params: object) {
  const { requestedSchema } = params as { requestedSchema?: { required?: string[] } };
  const required = requestedSchema?.required ?? [];
  const content = Object.entries(knownFields).filter(([field]) => required.includes(field));
  return { action: 'accept' as const, content: Object.fromEntries(content) };
}

/** The notifications that came, and those that are still awaited. */
class NotificationLog {
  readonly notifications: Notification[] = [];
  #waiting: (() => void)[] = [];

  add(notification: Notification): void {
    this.notifications.push(notification);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  }

  /** The first notification of a method whose text has these words in it, when it is there. */
  readonly told = async (method: string, words = ''): Promise<Notification> => {
    for (;;) {
      const found = this.notifications.find(
        (each) => each.method === method && JSON.stringify(each.params ?? {}).includes(words),
      );
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  };
}

/** What became of a call, so that two of them can be compared. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { result: await call };
  } catch (error) {
    const { name, code, message } = error as { name: string; code?: unknown; message: string };
    return { failed: { name, code, message } };
  }
}
