import type { JsonObject } from '../../base/json.js';
import { isObject } from '../../base/json.js';
import type { McpTool } from '../../mcp/mcp-client.js';
import { isGuess, sampleArguments } from './sample-arguments.js';

/** A tool that a task is written for. */
export interface ChosenTool {
  name: string;
  description: string;
  args: JsonObject;
  /** The server may refuse these arguments, though its schema allows them. */
  isGuess: boolean;
  /** It says, or sounds as if, it changes something that cannot be undone. */
  isRisky: boolean;
}

export interface ToolChoice {
  chosen: ChosenTool[];
  /** By their own account: no task should need them. */
  destructive: string[];
}

/**
 * The tools to begin with: those that only read come first, those whose arguments are a guess last,
 * and those that could do harm only if there are no others. A tool whose arguments cannot be made up
 * from its schema is left out, and so is one that can only be called as a task of MCP, or that shows the
 * environment: its answer would be full of secrets.
 */
export function chooseTools(tools: readonly McpTool[], most: number): ToolChoice {
  const usable = tools.flatMap((tool): (ChosenTool & { rank: number })[] => {
    const args = sampleArguments(tool.inputSchema);
    if (!args || needsTask(tool) || showsEnvironment(tool)) return [];
    const { name, description = '' } = tool;
    const doubts = { isGuess: isGuess(args) || isQuery(tool), isRisky: isRisky(tool) };
    const rank = (doubts.isGuess ? 2 : 0) + (isReading(tool) ? 0 : 1);
    return [{ name, description, args, ...doubts, rank }];
  });
  const safe = usable.filter((tool) => !tool.isRisky);
  const chosen = (safe.length > 0 ? safe : usable)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ rank: _, ...tool }) => tool);
  const names = new Set(chosen.map(({ name }) => name));
  const destructive = tools
    .filter(isDestructive)
    .map(({ name }) => name)
    .filter((name) => !names.has(name));
  return { chosen, destructive };
}

const riskyWords =
  /(^|[^a-z])(add|append|approve|archive|assign|book|buy|cancel|clear|commit|create|delete|deploy|destroy|disable|drop|edit|enable|exec|execute|forget|grant|import|insert|install|invite|kill|merge|modify|move|order|patch|pay|post|publish|purge|push|put|register|remember|remove|rename|replace|reset|restart|revoke|run|save|schedule|send|set|shutdown|start|stop|store|submit|sync|terminate|toggle|transfer|uninstall|update|upload|write)([^a-z]|$)/;

/** By its own account: no task should need it without being asked to. */
export function isDestructive(tool: McpTool): boolean {
  return annotationsOf(tool).destructiveHint === true && !isReading(tool);
}

/** It says, or sounds as if, it changes something. */
export function isRisky(tool: McpTool): boolean {
  if (isReading(tool)) return false;
  if (annotationsOf(tool).destructiveHint === true) return true;
  return riskyWords.test(tool.name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

/** `get-env`, `printenv`, `list_environment_variables`; `list_environments` shows something else. */
const environmentNames =
  /(^|[^a-z])(get|print|list|show|dump)?_?env(iron)?(_?vars?|_?variables)?([^a-z]|$)|environment_?variables|^(print|dump|show)?_?environment$/;
const environmentDescriptions =
  /\b(dump|display|expose|fetch|get|list|print|read|retrieve|return|show)(s|es|ing)?\b[^.]{0,60}(\benv(ironment)?[ -]?(vars?|variables?)\b|\bprocess\.env\b|\bos\.environ\b)/i;

function showsEnvironment({ name, description = '' }: McpTool): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return environmentNames.test(words) || environmentDescriptions.test(description);
}

/** A text in a language of its own: one that is made up is no valid query. */
function isQuery({ name, description = '' }: McpTool): boolean {
  return /\b(sql|select|graphql|cypher|promql|logql|jql|kql|sparql)\b/i.test(
    `${name.replace(/[_-]/g, ' ')} ${description}`,
  );
}

/** Most agents call tools directly. */
function needsTask({ execution }: McpTool): boolean {
  return isObject(execution) && execution.taskSupport === 'required';
}

function isReading(tool: McpTool): boolean {
  return annotationsOf(tool).readOnlyHint === true;
}

function annotationsOf({ annotations }: McpTool): JsonObject {
  return isObject(annotations) ? annotations : {};
}
