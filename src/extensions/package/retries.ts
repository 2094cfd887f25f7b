import { HttpError, type HttpErrorCode } from '../../base/http/http-error.js';

/** Resolves after a time; rejects when the signal is aborted. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<unknown>;

export interface RetryOptions {
  delay: Delay;
  signal: AbortSignal;
}

/** Something that may be over in a moment. */
export class PassingFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PassingFailure';
  }
}

const maxAttempts = 3;
const firstDelayMs = 500;

const passingCodes: readonly HttpErrorCode[] = [
  'host-not-found',
  'refused',
  'unreachable',
  'reset',
  'idle',
];

/** Tries again after what may pass. Rejects with the last failure. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { delay, signal }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      failures++;
      if (signal.aborted || failures === maxAttempts || !isPassing(error)) throw error;
      await delay(firstDelayMs * 2 ** (failures - 1), signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof HttpError) return passingCodes.includes(error.code);
  return error instanceof PassingFailure;
}
