/**
 * The client that the conformance suite starts, with the address of its server as the last argument:
 *
 *   own URL              Proctor's MCP client
 *   bridge PROCTOR URL   the official client over stdio, with `PROCTOR bridge URL` as its server
 *
 * Whatever the server is, it uses everything there once. Prints `done` if nothing failed on the way.
 */
import { Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isObject, type JsonObject } from '../../src/base/json.js';
import { type CallOutcome, McpClient } from '../../src/mcp/mcp-client.js';

/** What both clients can do. Calls throw for errors of the protocol. */
interface ClientUnderTest {
  listTools(): Promise<readonly ListedTool[]>;
  listResources(): Promise<readonly JsonObject[]>;
  listPrompts(): Promise<readonly JsonObject[]>;
  callTool(name: string, args: JsonObject): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  getPrompt(name: string): Promise<unknown>;
  close(): Promise<void>;
}

interface ListedTool {
  name: string;
  inputSchema: unknown;
}

interface ToolCall {
  name: string;
  arguments: JsonObject;
}

const protocolVersion = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const isStateless = protocolVersion === '2026-07-28';
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const capabilities = { elicitation: { form: { applyDefaults: true } } };

const [how, ...rest] = process.argv.slice(2);
const client = how === 'own' ? await connectOwn(rest) : await connectThroughBridge(rest);
await useEverything(client);
await client.close();
console.log('done');

async function useEverything(client: ClientUnderTest): Promise<void> {
  for (const call of callsOf(await client.listTools())) {
    await client.callTool(call.name, call.arguments);
  }
  for (const { uri } of await client.listResources()) await client.readResource(String(uri));
  for (const { name } of await client.listPrompts()) await client.getPrompt(String(name));
}

/** Those that the scenario asks for, or one of each tool. */
function callsOf(tools: readonly ListedTool[]): ToolCall[] {
  if (isObject(context) && Array.isArray(context.toolCalls)) return context.toolCalls;
  // The server of this one lists a tool, and cannot be asked to call it.
  if (process.env.MCP_CONFORMANCE_SCENARIO === 'json-schema-ref-no-deref') return [];
  return tools.map(({ name, inputSchema }) => {
    // The scenario about schemas wants to see what arrived here.
    const [first] = tools;
    if (name === 'json_schema_echo') return { name, arguments: { schema: first?.inputSchema } };
    return { name, arguments: argumentsFor(inputSchema) };
  });
}

/** Something for each required property. */
function argumentsFor(schema: unknown): JsonObject {
  if (!isObject(schema) || !isObject(schema.properties)) return {};
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name])]));
}

function sampleOf(schema: unknown): unknown {
  const samples: JsonObject = { string: 'text', object: {}, array: [], boolean: true, null: null };
  const type = isObject(schema) ? String(schema.type) : '';
  return type in samples ? samples[type] : 1;
}

async function connectOwn([url = '']: string[]): Promise<ClientUnderTest> {
  const mode = isStateless ? 'stateless' : 'stateful';
  const own = await McpClient.connect(url, { capabilities, mode });
  const checked = async (outcome: Promise<CallOutcome>): Promise<void> => {
    const { error } = await outcome;
    if (error) throw new Error(error.message);
  };
  return {
    listTools: () => own.listTools(),
    listResources: () => own.listResources(),
    listPrompts: () => own.listPrompts(),
    callTool: (name, args) => checked(own.callTool(name, args)),
    readResource: (uri) => checked(own.readResource(uri)),
    getPrompt: (name) => checked(own.getPrompt(name, undefined)),
    close: () => own.close(),
  };
}

/** A result without its type is an error to the official client; one scenario wants it to be none. */
function throwUnlessUntyped(error: unknown): void {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) throw error;
}

async function connectThroughBridge([proctor = '', url = '']: string[]): Promise<ClientUnderTest> {
  const official = new Client(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: isStateless ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  official.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  const args = [proctor, 'bridge', url];
  await official.connect(new StdioClientTransport({ command: process.execPath, args }));
  const { tools, resources, prompts } = official.getServerCapabilities() ?? {};
  return {
    listTools: async () => (tools ? (await official.listTools()).tools : []),
    listResources: async () => (resources ? (await official.listResources()).resources : []),
    listPrompts: async () => (prompts ? (await official.listPrompts()).prompts : []),
    callTool: (name, args) =>
      official.callTool({ name, arguments: args }).catch(throwUnlessUntyped),
    readResource: (uri) => official.readResource({ uri }),
    getPrompt: (name) => official.getPrompt({ name }),
    close: () => official.close(),
  };
}
