import { setMaxListeners } from 'node:events';
import { McpError } from './mcp-error.js';

interface JoinedSignal {
  signal: AbortSignal;
  /** Must be called, so that a signal that lives on does not keep what is over. */
  release(): void;
}

/** A signal that is aborted with the first of several, or after a time; its reason is an McpError. */
export function joinSignals(
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): JoinedSignal {
  const controller = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const abort = (event: { target: unknown }) => {
    const { reason } = event.target as AbortSignal;
    controller.abort(reason instanceof McpError ? reason : aborted);
  };
  // Every call under way listens: many are no leak, as Node would suspect.
  if (given.length > 0) setMaxListeners(0, ...given);
  for (const signal of given) {
    if (signal.aborted) abort({ target: signal });
    else signal.addEventListener('abort', abort);
  }
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(timedOut(timeoutMs)), timeoutMs);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of given) signal.removeEventListener('abort', abort);
    },
  };
}

const aborted = new McpError('The request was called off.', { code: 'aborted' });

function timedOut(timeoutMs: number): McpError {
  return new McpError(`The server did not answer within ${timeoutMs / 1000} s.`, {
    code: 'timeout',
  });
}
