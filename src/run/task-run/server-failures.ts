import type { Warning, WarningCode } from '../../journal/mcp-events.js';
import type { Failure, FailureCategory } from '../../journal/task-run-events.js';

/** Warnings after which nothing that the agent does says anything about it. */
const categories: Partial<Record<WarningCode, FailureCategory>> = {
  'server-failed-to-start': 'server-failed',
  'server-timeout': 'server-failed',
  'server-unreachable': 'server-failed',
  'server-exited': 'server-exited',
  'server-unauthorized': 'server-unauthorized',
};

/** The failure that a warning means for its task run, if it does. */
export function serverFailure(
  { code, server, message }: Warning,
  seq: number,
): Failure | undefined {
  const category = categories[code];
  if (category === undefined) return undefined;
  const about = server === undefined || message.includes(server) ? '' : `server ${server}: `;
  return { category, message: `${about}${message}`, evidence: seq };
}
