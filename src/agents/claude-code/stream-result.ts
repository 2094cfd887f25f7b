import { plural, truncate } from '../../base/text.js';
import type { AgentFailure, AgentResult } from '../agent.js';
import type { CommandEnd } from '../command/run-command.js';
import { failureOf } from '../program/process-failure.js';
import type { StreamLine } from './stream-line.js';
import type { StreamSummary } from './stream-summary.js';

const maxOutputLength = 1024 * 1024;
const loginHint = 'Set ANTHROPIC_API_KEY, or start `claude` once and log in.';

/** How a run that wrote stream-json ended. */
export function streamResult(
  name: string,
  summary: StreamSummary,
  { end, log }: CommandEnd,
): AgentResult {
  const output = truncate(summary.output, maxOutputLength);
  if (end === undefined) {
    const unanswered = unansweredFailure(name, summary, log);
    return { end: 'stopped', ...(unanswered && { failure: unanswered }), output, ...summary.facts };
  }
  const failure =
    reportedFailure(name, summary.result, log) ??
    failureOf(name, end, log) ??
    missingResult(name, summary, log);
  return failure
    ? { end: 'failed', failure, output, ...summary.facts }
    : { end: 'finished', output, ...summary.facts };
}

/** A run may fail in its own words, whatever the exit code: then they say more. */
function reportedFailure(
  name: string,
  result: StreamLine | undefined,
  log: string,
): AgentFailure | undefined {
  if (!result?.is_error && !result?.subtype?.startsWith('error')) return undefined;
  const reason = result.errors[0] ?? result.result ?? result.subtype ?? 'no reason was given';
  const needsLogin = /not logged in|invalid api key|authenticat|\/login/i.test(reason);
  const details = [needsLogin ? loginHint : '', ...result.errors.slice(1), log];
  return {
    code: 'failed',
    message: `${name} failed: ${truncate(reason, 1_000)}`,
    ...withDetails(details),
  };
}

/** Why it had not come to work when it was stopped. */
function unansweredFailure(
  name: string,
  { unanswered }: StreamSummary,
  log: string,
): AgentFailure | undefined {
  if (!unanswered) return undefined;
  const { attempt = 1, error_status: status } = unanswered;
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  const message = `the model of ${name} could not be reached${http}, ${plural(attempt, 'time')}`;
  return { code: 'failed', message, ...withDetails([log]) };
}

function missingResult(
  name: string,
  { result }: StreamSummary,
  log: string,
): AgentFailure | undefined {
  if (result) return undefined;
  return { code: 'failed', message: `${name} ended without a result`, ...withDetails([log]) };
}

function withDetails(parts: readonly string[]): { details?: string } {
  const details = parts.filter((part) => part !== '').join('\n');
  return details === '' ? {} : { details: truncate(details, 20_000) };
}
