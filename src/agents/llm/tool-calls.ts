import type { JSONSchema7, LanguageModelV3ToolCall } from '@ai-sdk/provider';
import { isDeeperThan, isObject } from '../../base/json.js';
import { truncate } from '../../base/text.js';
import { JsonArguments } from '../../mcp/rpc-message.js';

/** A tool that a model may call. */
export interface ModelTool {
  name: string;
  description: string;
  schema: JSONSchema7;
  call(args: ToolArguments, signal: AbortSignal): Promise<ToolOutcome>;
}

interface ToolArguments {
  /** The arguments as the model wrote them. */
  text: JsonArguments;
  value: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  isError: boolean;
  text: string;
  /** The connection to its server failed. */
  isLost?: true;
}

const maxArgumentDepth = 200;
/** Longest result that is handed to a model, in characters: no model reads more. */
const maxResult = 1_000_000;
const maxQuoted = 500;
const maxNamedTools = 100;

/** A call that a model asks for: its arguments, or why they cannot be used. */
export interface ReadCall {
  call: LanguageModelV3ToolCall;
  args?: ToolArguments;
  mistake?: string;
}

export function readCall(call: LanguageModelV3ToolCall): ReadCall {
  const text = call.input.trim() === '' ? '{}' : call.input;
  const value = parseJson(text);
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

/** Runs a call. What goes wrong is a result for the model, which may do better; only an abort throws. */
export async function runCall(
  { call, args, mistake = '' }: ReadCall,
  tools: readonly ModelTool[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.toolName);
  if (!tool) return { isError: true, text: describeUnknownTool(call.toolName, tools) };
  if (!args) return { isError: true, text: mistake };
  const { isError, text } = await tool.call(args, signal);
  return { isError, text: truncateResult(text) };
}

function describeUnknownTool(name: string, tools: readonly ModelTool[]): string {
  const names = tools.slice(0, maxNamedTools).map((tool) => tool.name);
  const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
  return `there is no tool ${JSON.stringify(name)}; ${known}`;
}

function truncateResult(text: string): string {
  if (text.length <= maxResult) return text;
  return `${text.slice(0, maxResult)}\n[${text.length - maxResult} more characters]`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
