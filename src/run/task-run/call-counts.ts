import { isAgentCall, type McpCall } from '../../journal/mcp-events.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';

export type CallCounts = TaskRunEnded['calls'];

export function noCalls(): CallCounts {
  return { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
}

/** Counts a call, if it is one of the agent's. */
export function countCall(counts: CallCounts, call: McpCall): void {
  if (!isAgentCall(call)) return;
  const { kind, isError, tokens } = call;
  counts[kind] += 1;
  if (isError) counts.errors += 1;
  counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
}
