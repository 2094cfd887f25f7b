import type { RawJson } from '../../base/json-text.js';
import type { AgentMcpCall, McpCall } from '../../journal/mcp-events.js';
import {
  type CallOutcome,
  decideCallOutcome,
  findCallReason,
  formatCallName,
  withSuspicion,
} from '../render-call.js';
import type { Redact } from './plan-summary.js';
import { beginningOf } from './text-parts.js';

/** A call that has ended, in the size that is shown. */
export interface RecentCall {
  call: number;
  server: string;
  name: string;
  outcome: CallOutcome;
  durationMs: number;
  args: string;
  /** Why it did not succeed. */
  reason?: string;
}

const maxName = 200;
const maxArgs = 200;
const maxReason = 300;
/** Longer ones are not looked through for every call that comes by. */
const maxReadable = 100_000;

export function recentCallOf(recorded: AgentMcpCall, redact: Redact): RecentCall {
  const call = withSuspicion(recorded);
  const reason = isReadable(call) ? findCallReason(call) : undefined;
  return {
    call: call.call,
    server: beginningOf(call.server, maxName),
    name: beginningOf(redact(formatCallName(call)), maxName),
    outcome: decideCallOutcome(call),
    durationMs: call.durationMs,
    args: shortArgs(call.args, redact),
    ...(reason === undefined ? {} : { reason: beginningOf(redact(reason), maxReason) }),
  };
}

/** Arguments of a call or a step, as far as they fit in a line. */
export function shortArgs(args: RawJson | undefined, redact: Redact): string {
  if (args === undefined) return '';
  if (args.text.length > maxReadable) return `(arguments of ${args.text.length} characters)`;
  return beginningOf(redact(args.text), maxArgs);
}

function isReadable({ error, result }: McpCall): boolean {
  return (error?.text.length ?? 0) <= maxReadable && (result?.text.length ?? 0) <= maxReadable;
}
