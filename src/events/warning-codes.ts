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
