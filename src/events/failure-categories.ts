/**
 * Why a task run did not pass. Codes are stable: people filter by them. The reference pages are made
 * from this table.
 */
export const failureCategories = {
  'verification-failed': 'A step of `verify` did not pass.',
  'assertion-failed': 'Verification passed, or there is none, and an assertion did not hold.',
  'setup-failed': 'A step of `setup` failed, so the agent did not run.',
  'step-error': 'A step of `verify` could not be judged, such as a program that was not found.',
  'judge-error': 'The LLM judge gave no verdict.',
  'agent-not-started': 'The agent could not be started, or not be given the prompt.',
  'agent-failed': 'The agent ended with an error, or without an answer.',
  'server-failed': 'An MCP server did not start, did not answer in time, or was unreachable.',
  'server-exited': 'An MCP server ended while it was needed.',
  'server-unauthorized': 'An MCP server answered with 401 or 403.',
  'worker-lost': 'Every worker that was given it was lost: killed, cut off, or out of reach.',
  timeout: "The task's time limit was reached.",
  cancelled: 'The run was interrupted.',
  'internal-error': 'A bug in Proctor.',
  unknown:
    'The record names no reason that this version knows, cannot be read, contradicts itself, or is redacted where it would tell.',
} as const;

export type FailureCategory = keyof typeof failureCategories;
