import type { RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { asArray, asRecord, asString } from '../../base/json.js';
import type { AgentServer } from '../agent.js';
import { listAgentNames, toIdentifier } from '../permission-denials.js';
import type { ToolCall } from './tool-call.js';

/** Whether the agent may make a call that it asks for; if not, the reason as a clause of a sentence. */
type Permission = { isAllowed: true } | { isAllowed: false; reason?: string };

/** How to answer when a call names only a tool, and several servers have one of that name. */
export type AmbiguousTools = 'allow' | 'deny';

/**
 * Decides whether a call is one of an MCP tool that the agent may use. The protocol does not say which
 * tool a call is of, so this goes by the names that agents give to MCP tools:
 *
 *   mcp__server__tool            claude-agent-acp
 *   mcp_server_tool              gemini, in ids
 *   tool (server MCP Server)     gemini, in titles
 *   server_tool                  opencode
 *   server-tool                  copilot
 *   Tool: server/tool            codex-acp
 *   tool                         others: enough where one server has a tool of that name, unless it could
 *                                as well be a tool of the agent itself that does something
 *
 * What is left undecided by that is decided by the Agent file.
 */
export function decidePermission(
  call: ToolCall,
  servers: readonly AgentServer[],
  ambiguousTools: AmbiguousTools,
): Permission {
  const isAction = kindsOfActions.has(call.kind ?? '');
  const identifiers = listNames(call).map(toIdentifier);
  // The title of an action can be a command line that only looks like a name.
  const certain = isAction ? call.names.map(toIdentifier) : identifiers;
  if (hasServerInName(call, certain, servers)) return { isAllowed: true };
  const owners = servers.filter(({ allowedTools }) =>
    allowedTools.some((tool) => identifiers.includes(toIdentifier(tool))),
  );
  if (owners.length === 0) return { isAllowed: false };
  const isAmbiguous = owners.length > 1 || isAction;
  if (!isAmbiguous || ambiguousTools === 'allow') return { isAllowed: true };
  const names = owners.map(({ name }) => name).join(', ');
  const reason =
    owners.length > 1
      ? `several servers have a tool of this name: ${names}`
      : `it may be a tool of ${names} or one of the agent itself`;
  return { isAllowed: false, reason: `${reason}; acp.ambiguousTools decides` };
}

function hasServerInName(
  { title }: ToolCall,
  identifiers: readonly string[],
  servers: readonly AgentServer[],
): boolean {
  return servers.some(({ name: server, allowedTools }) =>
    allowedTools.some((tool) => {
      const names = listAgentNames(server, tool);
      return (
        names.identifiers.some((name) => identifiers.includes(name)) ||
        (title !== undefined && names.titles.includes(title))
      );
    }),
  );
}

/** The names of a call. Without any, its title counts as one, unless it consists of several words. */
function listNames({ names, title }: ToolCall): readonly string[] {
  if (names.length > 0) return names;
  return title !== undefined && !/\s/.test(title) ? [title] : [];
}

/**
 * Kinds of tools that do something, which agents have themselves: the title is a command line, a path or an
 * address and could look like a name, and a name such as `run` could be that of the agent's own shell.
 */
const kindsOfActions: ReadonlySet<string> = new Set([
  'execute',
  'edit',
  'delete',
  'move',
  'fetch',
  'switch_mode',
]);

interface Option {
  id: string;
  kind: unknown;
}

/** Answers a permission request by the kind of its options: their ids have no fixed meaning. */
export function answerPermissionRequest(
  question: Record<string, unknown>,
  isAllowed: boolean,
): RequestPermissionOutcome {
  const options = readOptions(question);
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  for (const kind of kinds) {
    const option = options.find((candidate) => candidate.kind === kind);
    if (option) return { outcome: 'selected', optionId: option.id };
  }
  return { outcome: 'cancelled' };
}

function readOptions({ options }: Record<string, unknown>): Option[] {
  return asArray(options).flatMap((option) => {
    const { optionId, kind } = asRecord(option);
    const id = asString(optionId);
    return id === undefined ? [] : [{ id, kind }];
  });
}
