import * as z from 'zod/mini';
import { count, positiveCount, text } from '../base/schema-fields.js';
import { type EventDefinition, type EventFrom, field, rawJson } from './event-definition.js';

/** Name of the attempt that something belongs to; without it, it belongs to the whole run. */
const taskRun = () => z.optional(text());
const attemptNameText =
  'Name of the attempt at a task run that it belongs to; not with `proctor proxy`.';

const onServer = () => ({
  server: field(text(), 'Name of the server in the MCP config.'),
  session: field(
    z.optional(positiveCount()),
    'Number of the session with this server, from 1; none for a request that stands alone (2026-07-28).',
  ),
  by: field(
    z.optional(z.literal('harness')),
    '`harness` for our own steps; otherwise it was the agent.',
  ),
});

export const mcpMessage = {
  type: 'mcp-message',
  description: 'A JSON-RPC message that the proxy relayed, or answered in the place of the server.',
  shape: () => ({
    taskRun: field(taskRun(), attemptNameText),
    ...onServer(),
    direction: field(z.enum(['to-server', 'to-agent']), '`to-server` or `to-agent`.'),
    message: field(
      rawJson(),
      'The message as it came: order of keys and spelling of numbers are kept.',
    ),
    bytes: field(count(), 'Its length in UTF-8.'),
    held: field(
      z.optional(z.literal(true)),
      'It went no further than the proxy: a blocked call, a second `initialize` on a shared process, a cancellation that came too late.',
    ),
  }),
} as const satisfies EventDefinition;
export type McpMessage = EventFrom<typeof mcpMessage>;

/** Where traffic with a server was seen. */
export type OnServer = Pick<McpMessage, 'taskRun' | 'server' | 'session' | 'by'>;

export type CallKind = 'tool' | 'resource' | 'prompt' | 'other';

export const mcpCall = {
  type: 'mcp-call',
  description:
    'A logical call that has ended: a request of the agent with all that belongs to it. Requests that only answer an `input_required` result belong to the call that got it; the result of a task belongs to the call that started it.',
  shape: () => ({
    taskRun: field(taskRun(), attemptNameText, 'lose-event'),
    ...onServer(),
    call: field(
      z.optional(positiveCount()),
      "Number of the agent's call in the order of arrival over all servers of the task run, from 1, as it is shown everywhere. Other requests and those of steps have none. Calls are written as they end, so a journal may have them in another order.",
      'lose-event',
    ),
    kind: field(
      z.enum(['tool', 'resource', 'prompt', 'other'] satisfies CallKind[]),
      '`tool`, `resource`, `prompt` or `other` (any other request).',
      { as: text() },
    ),
    method: field(text(), 'JSON-RPC method.'),
    name: field(z.optional(text()), 'Tool or prompt; of a resource its URI.'),
    args: field(
      z.optional(rawJson()),
      '`arguments` of the call; of other requests their `params`.',
    ),
    result: field(z.optional(rawJson()), 'What the server answered.'),
    error: field(
      z.optional(rawJson()),
      'The JSON-RPC error, or what went wrong on the way in the same shape (code -32000).',
    ),
    isError: field(
      z.boolean(),
      'There is an `error`, the result says `isError`, or the answer is `malformed`.',
      'lose-event',
    ),
    malformed: field(
      z.optional(text()),
      'What is wrong with the shape of the answer, such as `content is missing`; the agent got it unchanged.',
    ),
    blocked: field(
      z.optional(z.literal(true)),
      'The MCP config does not allow the tool; the server did not see the call.',
    ),
    blockedBy: field(
      z.optional(text()),
      'The setting that blocked it, such as `alwaysAllow of pets in mcp-config.yaml`.',
    ),
    cancelled: field(z.optional(z.literal(true)), 'The agent called it off.'),
    unfinished: field(z.optional(z.literal(true)), 'It had no answer when everything ended.'),
    retries: field(
      z.optional(count()),
      'How often the agent sent it again with input that was asked for.',
    ),
    task: field(
      z.optional(text()),
      'The task that the server answered with; the result is that of the task, if the agent fetched it.',
    ),
    startedAt: field(text(), 'Wall time of the request.'),
    durationMs: field(z.number(), 'Until the answer, by a monotonic clock.'),
    bytes: field(
      z.object({ request: count(), response: count() }),
      'Length of the messages in UTF-8, retries included: `request`, `response`.',
    ),
    tokens: field(
      z.optional(z.object({ args: count(), result: count() })),
      'Tokens (cl100k_base) of the arguments (`args`) and of the text in the `result`; images and other binary parts count nothing.',
    ),
    request: field(count(), '`seq` of the message that started it.'),
    response: field(z.optional(count()), '`seq` of the message that ended it.'),
  }),
} as const satisfies EventDefinition;
export type McpCall = EventFrom<typeof mcpCall>;

/** What the agent called: a tool, a resource or a prompt. */
export type AgentMcpCall = McpCall & { call: number; kind: Exclude<CallKind, 'other'> };

/** Neither what our own steps call, nor what is only traffic of the protocol. */
export function isAgentCall<Call extends McpCall>(call: Call): call is Call & AgentMcpCall {
  return call.by === undefined && call.kind !== 'other';
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
    'An HTTP server answered with an error, or with something that is not JSON-RPC. `details` has its beginning.',
  'server-output-not-json':
    'A server wrote something to its output that is not a JSON-RPC message; it was left out.',
  'unknown-response':
    'An answer came to a request that was never sent, or a second one; it was left out.',
  'undeliverable-message': 'A message of the server had no receiver; it was left out.',
  'tool-left-out':
    'Clients of revision 2026-07-28 leave out a tool that the server lists, as its `x-mcp-header` is not valid: agents do not see it.',
  'slow-reader': 'An agent did not read its stream and held up others, so the stream was cut.',
  'stream-cut': 'An HTTP server closed the connection in the middle of an answer.',
  'message-too-large': 'A message was too large to be kept.',
  'program-missing':
    'A script passed although its shell did not find a program that it calls: it may have checked nothing.',
  'task-run-interrupted':
    'The journal has no end of an attempt, most often because its process was killed. `--resume`, or another worker, has cleaned up after it.',
  'rate-limited':
    'A model API was asked too much (HTTP 429, or 503 and 529 with `Retry-After`). The model is not asked again until it may be. Reported once for each model.',
  'cost-unknown':
    'The cost of a task run is not known, although the model that was asked has a price: another one answered, or an answer did not say its tokens. `--max-cost` does not count it.',
  'tokens-not-counted':
    'The tokens of some calls could not be counted; those calls have no `tokens`.',
} as const;

export type WarningCode = keyof typeof warningCodes;

export const warning = {
  type: 'warning',
  description: 'Something that deserves a look, but is no message of the protocol.',
  shape: () => ({
    taskRun: field(taskRun(), attemptNameText, 'lose-event'),
    code: field(z.enum(Object.keys(warningCodes) as WarningCode[]), 'See below.'),
    message: field(text(), 'One sentence.'),
    server: field(z.optional(text()), 'Name of the server.'),
    details: field(
      z.optional(text()),
      'What it is about, cut to a sensible length: a line of output, the end of a log.',
    ),
  }),
} as const satisfies EventDefinition;
export type Warning = EventFrom<typeof warning>;
