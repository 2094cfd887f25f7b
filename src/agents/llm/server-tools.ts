import type { JSONSchema7 } from '@ai-sdk/provider';
import { isDeeperThan, isObject } from '../../base/json.js';
import { type McpClient, McpError, type McpTool } from '../../mcp/mcp-client.js';
import type { AgentServer, AgentTask } from '../agent.js';
import type { ModelTool } from './tool-calls.js';

/** A tool of a server, before it gets the name under which the model calls it. */
export interface ServerTool extends ModelTool {
  server: string;
  /** A tool of ours that gives access to resources or prompts: real tools choose their names first. */
  isHelper: boolean;
}

/** Deeper than any schema that people write; model APIs take less. */
const maxSchemaDepth = 100;

/** Lists the tools of a server that the model may call, and those that give it resources and prompts. */
export async function listServerTools(
  client: McpClient,
  { name: server, allowedTools }: AgentServer,
  report: AgentTask['report'],
): Promise<ServerTool[]> {
  const listed = await client.listTools();
  const allowed = listed.filter(({ name }) => allowedTools.includes(name));
  const helpers = await listContextTools(client, server, report);
  return [
    ...allowed.map((tool) => ({ ...createServerTool(client, tool), server, isHelper: false })),
    ...helpers.map((tool) => ({ ...tool, server, isHelper: true })),
  ];
}

/** Gives the tools unique names that model APIs accept. */
export function assignToolNames(tools: readonly ServerTool[]): ModelTool[] {
  const inOrder = [
    ...tools.filter(({ isHelper }) => !isHelper),
    ...tools.filter(({ isHelper }) => isHelper),
  ];
  const names = nameTools(inOrder);
  return inOrder.map((tool, index) => ({ ...tool, name: names[index] ?? tool.name }));
}

function createServerTool(
  client: McpClient,
  { name, description = '', inputSchema }: McpTool,
): ModelTool {
  return {
    name,
    description,
    schema: readInputSchema(inputSchema),
    call: ({ text }, signal) => client.callTool(name, text, { signal }),
  };
}

function readInputSchema(schema: unknown): JSONSchema7 {
  if (!isObject(schema) || isDeeperThan(maxSchemaDepth, schema)) return { type: 'object' };
  return { ...schema, type: 'object' };
}

type Item = Record<string, unknown>;

/** Longest list in a tool's description, in characters: a model reads it with each request. */
const maxList = 10_000;

/** Makes tools for a server's resources and prompts: models have no other way to them. */
async function listContextTools(
  client: McpClient,
  server: string,
  report: AgentTask['report'],
): Promise<ModelTool[]> {
  const list = async (ask: () => Promise<Item[]>) => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof McpError) || error.isOurs) throw error;
      report({ kind: 'log', text: `a list of ${server} could not be read: ${error.message}` });
      return [];
    }
  };
  const [resources, templates, prompts] = await Promise.all([
    list(() => client.listResources()),
    list(() => client.listResourceTemplates()),
    list(() => client.listPrompts()),
  ]);
  const uris = [...formatItems(resources, 'uri'), ...formatItems(templates, 'uriTemplate')];
  return [
    ...(uris.length > 0 ? [createResourceTool(client, server, uris)] : []),
    ...(prompts.length > 0 ? [createPromptTool(client, server, formatItems(prompts, 'name'))] : []),
  ];
}

function createResourceTool(client: McpClient, server: string, uris: string[]): ModelTool {
  const description = `Reads a resource of the MCP server ${server}.`;
  return {
    name: 'read_resource',
    description: `${description} Its resources:\n${joinItems(uris)}`,
    schema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'URI of the resource' } },
      required: ['uri'],
    },
    call: async ({ value: { uri } }, signal) =>
      typeof uri === 'string'
        ? client.readResource(uri, { signal })
        : { isError: true, text: 'uri has to be a text' },
  };
}

function createPromptTool(client: McpClient, server: string, prompts: string[]): ModelTool {
  const description = `Gets the text of a prompt that the MCP server ${server} has ready.`;
  return {
    name: 'get_prompt',
    description: `${description} Its prompts:\n${joinItems(prompts)}`,
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the prompt' },
        arguments: {
          type: 'object',
          description: 'Arguments of the prompt',
          additionalProperties: { type: 'string' },
        },
      },
      required: ['name'],
    },
    call: async ({ value: { name, arguments: args = {} } }, signal) =>
      typeof name === 'string' && isTextMap(args)
        ? client.getPrompt(name, args, { signal })
        : { isError: true, text: 'name has to be a text, and arguments an object of texts' },
  };
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

/** Formats each item as a line with what the server says about it. */
function formatItems(items: readonly Item[], key: string): string[] {
  return items.map((item) => {
    const about = [
      item[key],
      key === 'name' ? '' : item.name,
      item.description,
      formatArguments(item),
    ];
    return about.filter((text) => typeof text === 'string' && text !== '').join(' - ');
  });
}

/** Formats the names of a prompt's arguments, with a question mark behind optional ones. */
function formatArguments({ arguments: args }: Item): string {
  if (!Array.isArray(args)) return '';
  const names = args.map((arg: { name?: unknown; required?: unknown } | null) =>
    typeof arg?.name === 'string' ? `${arg.name}${arg.required === true ? '' : '?'}` : '',
  );
  return `arguments: ${names.join(', ')}`;
}

function joinItems(texts: string[]): string {
  const list = texts.join('\n');
  return list.length <= maxList ? list : `${list.slice(0, maxList)}... (there are more)`;
}

/** Names of tools that every model API accepts. */
const maxNameLength = 64;
const validName = /^[a-zA-Z0-9_-]{1,64}$/;

interface NamedTool {
  server: string;
  name: string;
}

/**
 * Names for the tools of several servers, in their order: the tool's own, if it is valid and no
 * other's, else with the server before it. None occurs twice.
 */
export function nameTools(tools: readonly NamedTool[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isFree = ({ name }: NamedTool) => counts.get(name) === 1 && validName.test(name);
  const taken = new Set(tools.filter(isFree).map(({ name }) => name));
  return tools.map((tool) => {
    if (isFree(tool)) return tool.name;
    const name = findFreeName(`${tool.server}__${tool.name}`, taken);
    taken.add(name);
    return name;
  });
}

function findFreeName(wanted: string, taken: ReadonlySet<string>): string {
  const valid = wanted.replace(/[^a-zA-Z0-9_-]/g, '_');
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const name = `${valid.slice(0, maxNameLength - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}
