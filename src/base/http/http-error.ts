export type HttpErrorCode =
  /** The request is none: a bad URL, method, header. */
  | 'invalid-request'
  /** A variable names a proxy or certificates that cannot be used. */
  | 'environment'
  | 'host-not-found'
  | 'refused'
  | 'unreachable'
  /** There was no connection within the time for it. */
  | 'connect-timeout'
  | 'tls'
  /** The connection ended before the answer did. */
  | 'reset'
  /** What came back is not HTTP. */
  | 'malformed'
  | 'too-long'
  | 'bad-redirect'
  | 'too-many-redirects'
  | 'proxy'
  /** Nothing came for too long. */
  | 'idle'
  | 'aborted';

/** Why there is no answer. The message is part of a sentence. */
export class HttpError extends Error {
  readonly code: HttpErrorCode;

  constructor(code: HttpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HttpError';
    this.code = code;
  }
}

const brokenOff = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** What the system says about a connection, in words. `host` is who it was to. */
export function toConnectionError(error: unknown, host: string): HttpError {
  if (error instanceof HttpError) return error;
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  const options = { cause: error };
  if (code === 'ECONNREFUSED') {
    return new HttpError('refused', `${host} refused the connection`, options);
  }
  // EAI_AGAIN is a name server that did not answer: it may in a moment.
  if (code === 'ENOTFOUND' || (code.startsWith('EAI_') && code !== 'EAI_AGAIN')) {
    return new HttpError('host-not-found', `the host of ${host} cannot be found`, options);
  }
  if (brokenOff.includes(code)) {
    const text = `${host} closed the connection before its answer was complete`;
    return new HttpError('reset', text, options);
  }
  if (code.startsWith('HPE_')) {
    return new HttpError('malformed', `${host} did not answer in HTTP: ${message}`, options);
  }
  return new HttpError('unreachable', `${host} cannot be reached: ${message || code}`, options);
}
