import { isObject } from '../../base/json.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { errorTextOf } from './error-text.js';

const invalidParams = -32602;

/** How servers say that the arguments of a call are wrong, by what they are made with. */
const wordings: readonly RegExp[] = [
  // TypeScript SDK, both versions, and the Python SDK.
  /MCP error -32602/,
  /input validation error/i,
  /invalid arguments for (tool|prompt)/i,
  // FastMCP: the words of pydantic.
  /\d+ validation errors? for /,
  /missing required argument/i,
  // Go SDK.
  /validating "arguments"/,
  /unmarshaling arguments/,
  // mark3labs/mcp-go.
  /required argument "[^"]*" not found/i,
  /argument "[^"]*" is not an? /i,
  /failed to bind arguments/i,
  // Rust SDK.
  /failed to deserialize parameters/i,
  /\binvalid params\b/i,
];

/** The same code says that there is no such tool: then its arguments are not to blame. */
const noSuchTool = /unknown tool|\btool\b[^\n]{0,200}\bnot found/i;

/** Whether a call failed because the server did not take its arguments. */
export function isRejected(call: CallRecord): boolean {
  if (!call.isError || call.blocked) return false;
  const text = errorTextOf(call);
  if (noSuchTool.test(text)) return false;
  const hasCode = isObject(call.error) && call.error.code === invalidParams;
  return hasCode || wordings.some((wording) => wording.test(text));
}
