import type { LanguageModelV3ToolCall } from '@ai-sdk/provider';
import { isObject } from '../../base/json.js';
import { truncate } from '../../base/text.js';
import { JsonArguments } from '../../mcp/rpc-message.js';
import type { ModelTool, ToolArguments, ToolOutcome } from './model-tool.js';
import { isDeeperThan } from './nesting.js';

const maxArgumentDepth = 200;
/** In characters: no model reads more. */
const maxResult = 1_000_000;
const maxQuoted = 500;
const maxNamedTools = 100;

/** A call of a model: its arguments, or why they are none. */
export interface ReadCall {
  call: LanguageModelV3ToolCall;
  args?: ToolArguments;
  mistake?: string;
}

export function readCall(call: LanguageModelV3ToolCall): ReadCall {
  const text = call.input.trim() === '' ? '{}' : call.input;
  const value = parsed(text);
  if (value === undefined) {
    const mistake = `the arguments are not valid JSON: ${truncate(call.input, maxQuoted)}`;
    return { call, mistake };
  }
  if (!isObject(value)) return { call, mistake: 'the arguments have to be a JSON object' };
  if (isDeeperThan(maxArgumentDepth, value)) {
    return { call, mistake: 'the arguments are nested too deeply' };
  }
  return { call, args: { text: new JsonArguments(text), value } };
}

/** Whatever goes wrong is told to the model, which may do better. Throws only when called off. */
export async function runCall(
  { call, args, mistake = '' }: ReadCall,
  tools: readonly ModelTool[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.toolName);
  if (!tool) return { isError: true, text: unknownTool(call.toolName, tools) };
  if (!args) return { isError: true, text: mistake };
  const { isError, text } = await tool.call(args, signal);
  return { isError, text: cut(text) };
}

function unknownTool(name: string, tools: readonly ModelTool[]): string {
  const names = tools.slice(0, maxNamedTools).map((tool) => tool.name);
  const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
  return `there is no tool ${JSON.stringify(name)}; ${known}`;
}

function cut(text: string): string {
  if (text.length <= maxResult) return text;
  return `${text.slice(0, maxResult)}\n[${text.length - maxResult} more characters]`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
