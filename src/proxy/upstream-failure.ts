import type { OutgoingHttpHeaders } from 'node:http';
import { HttpError } from '../base/http/http-error.js';
import { findHeaderProblem } from '../base/http/http-syntax.js';

/** Why a server gave no answer. */
export interface UpstreamFailure {
  /** The end of a sentence about the server. */
  reason: string;
  code: 'server-unreachable' | 'server-http-error';
  /** What the system said, if it was the connection. */
  cause?: Error;
}

export const noAnswer: UpstreamFailure = {
  reason: 'closed the connection without an answer',
  code: 'server-unreachable',
};

export function connectionFailure(error: NodeJS.ErrnoException): UpstreamFailure {
  if (error instanceof HttpError) return routeFailure(error);
  // Of the parser: somebody is there, but speaks something else.
  if (error.code?.startsWith('HPE_')) {
    const reason = `answered with something that is not HTTP (${error.code})`;
    return { reason, code: 'server-http-error' };
  }
  return { reason: explain(error), code: 'server-unreachable', cause: error };
}

/** For a status that is no answer. */
export function statusFailure(status: number): UpstreamFailure {
  const what = status === 101 ? 'a change of protocol that nobody asked for' : 'no HTTP status';
  return { reason: `answered with HTTP ${status}, which is ${what}`, code: 'server-http-error' };
}

/** For what node:http refuses to send, or what there is no way for. */
export function requestFailure(headers: OutgoingHttpHeaders, error: unknown): UpstreamFailure {
  if (error instanceof HttpError) return routeFailure(error);
  const [problem] = Object.entries(headers).flatMap(
    ([name, value]) => findHeaderProblem(name, String(value)) ?? [],
  );
  // The error's own text is not told: it could quote a value.
  const { code, name } = error as NodeJS.ErrnoException;
  return { reason: `cannot be asked: ${problem ?? code ?? name}`, code: 'server-unreachable' };
}

/** Proxies, certificates, and the time to connect. */
function routeFailure(error: HttpError): UpstreamFailure {
  if (error.code === 'connect-timeout') {
    return { reason: error.message, code: 'server-unreachable' };
  }
  const reason = `cannot be reached: ${error.message}`;
  return { reason, code: 'server-unreachable', cause: error };
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'cannot be reached: connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be reached: its name is not known';
    case 'ECONNRESET':
    case 'EPIPE':
      return noAnswer.reason;
    default:
      return `cannot be reached: ${code ?? message}`;
  }
}
