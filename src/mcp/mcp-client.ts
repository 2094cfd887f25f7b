import { isObject, type JsonObject } from '../base/json.js';
import { type CallOutcome, describeFailedCall, readCallOutcome } from './call-outcome.js';
import { Connection, joinSignals, type RequestOptions } from './connection.js';
import { connectToServer, requireResult, type ServerDescription } from './handshake.js';
import type { ResultKind } from './malformed-result.js';
import { findHeaderFault, ToolHeaders } from './mcp-headers.js';
import { errorCodes } from './message.js';
import { sessionMode, statelessVersion } from './protocol-mode.js';
import { JsonArguments, McpError, makeInputResponses, type RequestParams } from './rpc-message.js';

export type { CallOutcome } from './call-outcome.js';
export { McpError } from './rpc-message.js';

/** A tool as the server sent it. */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: unknown;
  [more: string]: unknown;
}

interface ConnectOptions {
  /** Name of the client, which the server gets to see. */
  name?: string;
  /** Aborted: whatever is under way fails, now and later. */
  signal?: AbortSignal;
  /** Limit for connecting, and for each page of a list; a call may take as long as it likes. */
  timeoutMs?: number;
  /** What the server may believe of us: some offer more tools then. We decline what it asks for. */
  capabilities?: { roots?: object; sampling?: object; elicitation?: object };
  /** None: the mode that the server supports. */
  mode?: 'stateful' | 'stateless';
  /** The newest protocol version that is offered in a session handshake. */
  protocolVersion?: string;
  /** How long a server may take to refuse the stateless mode. */
  probeLimitMs?: number;
}

interface CallOptions {
  signal?: AbortSignal;
}

const defaultProbeLimit = 2_000;

/** How often a server may ask for input before it has a result: many ask again what was declined. */
const maxInputRounds = 3;

/** Says nothing of Proctor: what a server knows of its client, an agent may hear. */
const anyClient = 'mcp-client';

/**
 * An MCP client for session and stateless servers, for Streamable HTTP on loopback: the recording proxy.
 *
 * It is our own because `@modelcontextprotocol/client` 2.4.0 was in the way: a chunk of 1 MB that
 * takes 120 ms to load, and 25 ms for each connection (this one: 5); `fetch`, which ends calls that
 * take over five minutes; an answer with one member too many is an error; and it opens a stream for
 * notifications that are not read here.
 */
export class McpClient {
  readonly protocolVersion: string;
  readonly serverInfo: { name: string; version: string } | undefined;
  readonly #connection: Connection;
  readonly #capabilities: JsonObject;
  readonly #timeoutMs: number | undefined;
  readonly #toolHeaders = new ToolHeaders();

  /** Throws McpError. */
  static async connect(url: string, options: ConnectOptions): Promise<McpClient> {
    const { name = anyClient, capabilities = {}, timeoutMs } = options;
    const { probeLimitMs = defaultProbeLimit } = options;
    const { mode, protocolVersion } = options;
    const connection = new Connection(url, sessionMode(), options.signal);
    const client = { info: { name, version: '1.0.0' }, capabilities };
    const { signal, release } = joinSignals([options.signal], timeoutMs);
    try {
      const how = { signal, probeLimitMs, mode, protocolVersion };
      const server = await connectToServer(connection, client, how);
      return new McpClient(connection, server, timeoutMs);
    } catch (error) {
      await connection.close();
      throw error;
    } finally {
      release();
    }
  }

  private constructor(
    connection: Connection,
    { protocolVersion, serverInfo, capabilities }: ServerDescription,
    timeoutMs: number | undefined,
  ) {
    this.#connection = connection;
    this.protocolVersion = protocolVersion;
    this.serverInfo = serverInfo;
    this.#capabilities = capabilities;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Whether the tools have to be listed before one is called: the server may want to see arguments in
   * headers, and says so in the list.
   */
  get needsToolList(): boolean {
    return this.protocolVersion === statelessVersion;
  }

  /** What was asked last has not been done: the server says that it does not know the session. */
  get hasLostSession(): boolean {
    return this.#connection.hasLostSession;
  }

  /** Throws McpError, as the other lists do. */
  async listTools(options: CallOptions = {}): Promise<McpTool[]> {
    const tools = await this.#list('tools', options);
    this.#toolHeaders.learn({ tools });
    const listed = tools.map(asTool);
    // Only the stateless mode has such headers: there, the protocol has every client leave such a tool out.
    if (this.protocolVersion !== statelessVersion) return listed;
    return listed.filter(({ inputSchema }) => findHeaderFault(inputSchema) === undefined);
  }

  listResources(options: CallOptions = {}): Promise<JsonObject[]> {
    return this.#list('resources', options);
  }

  listResourceTemplates(options: CallOptions = {}): Promise<JsonObject[]> {
    return this.#list('resourceTemplates', options);
  }

  listPrompts(options: CallOptions = {}): Promise<JsonObject[]> {
    return this.#list('prompts', options);
  }

  /** Throws McpError only if it is called off, or the client closed; as the next two do. */
  callTool(
    name: string,
    args: object | JsonArguments | undefined,
    options: CallOptions = {},
  ): Promise<CallOutcome> {
    const headers = this.#toolHeaders.headersFor({ name, arguments: argumentsValue(args) });
    return this.#call(
      'tool',
      'tools/call',
      { name, arguments: args ?? {} },
      { ...options, headers },
    );
  }

  readResource(uri: string, options: CallOptions = {}): Promise<CallOutcome> {
    return this.#call('resource', 'resources/read', { uri }, options);
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> | undefined,
    options: CallOptions = {},
  ): Promise<CallOutcome> {
    return this.#call('prompt', 'prompts/get', { name, arguments: args }, options);
  }

  /** Ends the session. Never takes long. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  async #list(name: ListName, { signal }: CallOptions): Promise<JsonObject[]> {
    const capability = name === 'resourceTemplates' ? 'resources' : name;
    if (!isObject(this.#capabilities[capability])) return [];
    return listAll(this.#connection, name, { signal, timeoutMs: this.#timeoutMs });
  }

  async #call(
    kind: ResultKind,
    method: string,
    params: RequestParams,
    options: RequestOptions,
  ): Promise<CallOutcome> {
    try {
      let answer = await this.#connection.request(method, params, options);
      for (let round = 1; round <= maxInputRounds; round++) {
        const input = makeInputResponses(answer.result);
        if (input === undefined) break;
        answer = await this.#connection.request(method, { ...params, ...input }, options);
      }
      return readCallOutcome(kind, answer);
    } catch (error) {
      return describeFailedCall(error);
    }
  }
}

function asTool(item: JsonObject): McpTool {
  if (isTool(item)) return item;
  throw new McpError('The server describes a tool with something other than text.', {
    code: 'unusable',
  });
}

function isTool(item: JsonObject): item is McpTool {
  const { name, description } = item;
  return typeof name === 'string' && (description === undefined || typeof description === 'string');
}

function argumentsValue(args: object | undefined): unknown {
  return args instanceof JsonArguments ? JSON.parse(args.text) : args;
}

/** The lists that a server may offer: how to ask, and what names an item. */
const lists = {
  tools: { method: 'tools/list', key: 'name' },
  resources: { method: 'resources/list', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', key: 'name' },
} as const;

type ListName = keyof typeof lists;

/** More than any server offers on purpose: a list may have no end. */
const maxItems = 100_000;
const maxPages = 1_000;

/** All pages of a list. Throws McpError. */
async function listAll(
  connection: Connection,
  name: ListName,
  options: RequestOptions,
): Promise<JsonObject[]> {
  const { method } = lists[name];
  const items: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 1; page <= maxPages && items.length <= maxItems; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await connection.request(method, params, options);
    // Some servers say that they have resources, and know nothing of templates.
    if (answer.error?.code === errorCodes.methodNotFound) return items;
    const result = requireResult(method, answer);
    for (const item of readItems(result, name)) items.push(item);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') return items;
  }
  throw unusableListError(`The server's list of ${name} does not end.`);
}

function readItems(result: JsonObject, name: ListName): JsonObject[] {
  const { method, key } = lists[name];
  const list = result[name];
  if (!Array.isArray(list))
    throw unusableListError(`The server answered ${method} without a list.`);
  return list.map((item: unknown) => {
    if (isObject(item) && typeof item[key] === 'string') return item;
    throw unusableListError(`The server's list of ${name} has an item without ${key}.`);
  });
}

function unusableListError(message: string): McpError {
  return new McpError(message, { code: 'unusable' });
}
