import type { McpClient } from '../../mcp/mcp-client.js';
import { McpError } from '../../mcp/mcp-client.js';
import type { AgentTask } from '../agent.js';
import type { ModelTool } from './model-tool.js';

type Item = Record<string, unknown>;

/** In characters: a model reads it with each step. */
const maxList = 10_000;

/** Tools of ours for what models have no other way to: a server's resources and prompts. */
export async function contextTools(
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
  const uris = [...lines(resources, 'uri'), ...lines(templates, 'uriTemplate')];
  return [
    ...(uris.length > 0 ? [resourceTool(client, server, uris)] : []),
    ...(prompts.length > 0 ? [promptTool(client, server, lines(prompts, 'name'))] : []),
  ];
}

function resourceTool(client: McpClient, server: string, uris: string[]): ModelTool {
  const description = `Reads a resource of the MCP server ${server}.`;
  return {
    name: 'read_resource',
    description: `${description} Its resources:\n${listed(uris)}`,
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

function promptTool(client: McpClient, server: string, prompts: string[]): ModelTool {
  const description = `Gets the text of a prompt that the MCP server ${server} has ready.`;
  return {
    name: 'get_prompt',
    description: `${description} Its prompts:\n${listed(prompts)}`,
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
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap && Object.values(value).every((each) => typeof each === 'string');
}

/** Each item with what the server says about it. */
function lines(items: readonly Item[], key: string): string[] {
  return items.map((item) => {
    const about = [item[key], key === 'name' ? '' : item.name, item.description, argumentsOf(item)];
    return about.filter((text) => typeof text === 'string' && text !== '').join(' - ');
  });
}

/** Of a prompt. */
function argumentsOf({ arguments: args }: Item): string {
  if (!Array.isArray(args)) return '';
  const names = args.map((each: { name?: unknown; required?: unknown } | null) =>
    typeof each?.name === 'string' ? `${each.name}${each.required === true ? '' : '?'}` : '',
  );
  return `arguments: ${names.join(', ')}`;
}

function listed(texts: string[]): string {
  const list = texts.join('\n');
  return list.length <= maxList ? list : `${list.slice(0, maxList)}... (there are more)`;
}
