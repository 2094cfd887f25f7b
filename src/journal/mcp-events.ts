import type { RawJson } from '../base/json-text.js';

/** What belongs to one task run says which; without it, it belongs to the whole run. */
interface TaskRunMember {
  taskRun?: string;
}

/** Where traffic with a server was seen. */
export interface OnServer extends TaskRunMember {
  server: string;
  /** Sessions of a server count from 1; without one, the request stood for itself (2026-07-28). */
  session?: number;
  /** `harness`: one of our own steps, not the agent. */
  by?: 'harness';
}

/** A JSON-RPC message that reached the proxy, or that it answered with in the server's place. */
export interface McpMessage extends OnServer {
  type: 'mcp-message';
  direction: 'to-server' | 'to-agent';
  message: RawJson;
  /** Length of the message in UTF-8. */
  bytes: number;
  /** It stayed with the proxy: blocked, answered in the server's place, or of no use to the server. */
  held?: true;
}

export type CallKind = 'tool' | 'resource' | 'prompt' | 'other';

/** A logical call that has ended: one request of the agent, with whatever belongs to it. */
export interface McpCall extends OnServer {
  type: 'mcp-call';
  /**
   * Number of the agent's call in the order of arrival, over all servers of the task run, from 1.
   * Other requests, and those of our own steps, have none.
   */
  call?: number;
  kind: CallKind;
  method: string;
  /** Tool or prompt; of a resource its URI. */
  name?: string;
  args?: RawJson;
  result?: RawJson;
  /** The JSON-RPC error, or what went wrong on the way, in that shape. */
  error?: RawJson;
  /** A tool said so in its result, there is an error, or the answer is malformed. */
  isError: boolean;
  /** What is wrong with the shape of the answer, which reached the agent all the same. */
  malformed?: string;
  /** The policy did not let it through to the server. */
  blocked?: true;
  /** The setting that blocked it, in words. */
  blockedBy?: string;
  /** The agent called it off. */
  cancelled?: true;
  /** It had no answer when the task run ended. */
  unfinished?: true;
  /** How often the agent sent it again to answer `input_required`. */
  retries?: number;
  /** The server answered with a task; the result is the task's, if the agent fetched it. */
  task?: string;
  startedAt: string;
  durationMs: number;
  /** Length of the messages in UTF-8, retries included. */
  bytes: { request: number; response: number };
  /** Tokens (cl100k_base) of arguments and result. */
  tokens?: { args: number; result: number };
  /** Events of the messages: the first request, the last answer. */
  request: number;
  response?: number;
}

/** What the agent called: a tool, a resource or a prompt. */
export type AgentMcpCall = McpCall & { call: number; kind: Exclude<CallKind, 'other'> };

/** Neither what our own steps call, nor what is only traffic of the protocol. */
export function isAgentCall<Call extends McpCall>(call: Call): call is Call & AgentMcpCall {
  return call.by === undefined && call.kind !== 'other';
}

/** Something that deserves a look, but is no message of the protocol. */
export interface Warning extends TaskRunMember {
  type: 'warning';
  code: WarningCode;
  message: string;
  server?: string;
  /** What it is about, cut to a sensible length: a line of output, the end of a log. */
  details?: string;
}

/**
 * What can go wrong on the way between an agent, its servers and its model, and beside it. Codes are stable: people filter by
 * them. The reference page docs/reference/journal.md is made from this table.
 */
export const warningCodes = {
  'server-failed-to-start': 'The program of a stdio server could not be started.',
  'server-exited':
    'A server ended although it was still needed. `details` has the last lines of its log (stderr).',
  'server-exited-when-probed':
    'A server ended when it was asked `server/discover`, which servers of older revisions do not know. It is started again for the next request.',
  'server-timeout': 'A server sent nothing within its `startupTimeout`.',
  'server-unreachable': 'An HTTP server refused the connection or broke it off without an answer.',
  'server-unauthorized':
    'An HTTP server answered with 401 or 403. The agent got an error without the invitation to log in.',
  'server-http-error':
    'An HTTP server answered with an error, or with something that is no JSON-RPC. `details` has the start of it.',
  'server-output-not-json':
    'A server wrote something to its output that is no JSON-RPC message; it was left out.',
  'unknown-response':
    'An answer came to a request that nobody sent, or a second one; it was left out.',
  'undeliverable-message': 'A message of the server had nobody to go to; it was left out.',
  'tool-left-out':
    'Clients of revision 2026-07-28 leave out a tool that the server lists, as its `x-mcp-header` is not valid: agents do not see it.',
  'slow-reader': 'An agent did not read its stream and held up others, so the stream was cut.',
  'stream-cut': 'An HTTP server closed the connection in the middle of an answer.',
  'message-too-large': 'A message was too large to be kept.',
  'program-missing':
    'A script passed although its shell did not find a program that it calls: it may have checked nothing.',
  'task-run-interrupted':
    'The process that ran a task was killed. `--resume` has cleaned up after it.',
  'rate-limited':
    'A model API was asked too much (HTTP 429, or 503 and 529 with `Retry-After`). Nobody asks that model until it may be asked again. Told once for each model.',
  'cost-unknown':
    'The cost of a task run is not known, although the model that was asked has a price: another one answered, or an answer did not say its tokens. `--max-cost` does not count it.',
  'tokens-not-counted':
    'The tokens of some calls could not be counted; those calls have no `tokens`.',
} as const;

export type WarningCode = keyof typeof warningCodes;
