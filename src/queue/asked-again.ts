import type { ChainableCommander } from 'ioredis';

/**
 * Does something that may be done twice, again and again until no connection breaks in the middle. Single
 * commands need no such care, as ioredis repeats what got no answer; but of several that were sent
 * together, it gives up on the rest when some were answered.
 */
export async function askedAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
    }
  }
}

/** Throws if one of its commands failed. */
export async function allOf(pipeline: ChainableCommander): Promise<void> {
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
}

/** A server that restarted in between has forgotten the scripts that it was just given. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || error.message.startsWith('NOSCRIPT');
}
