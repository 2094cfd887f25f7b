import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for an event, but only so long; undefined: it has not come. */
export async function withTimeout<T>(
  milliseconds: number,
  event: Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController();
  const timeout = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([event, timeout]);
  } finally {
    over.abort();
  }
}
