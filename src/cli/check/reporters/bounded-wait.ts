/**
 * Waits for a promise, but not longer than so many milliseconds, or until somebody gives up. Undefined: as long
 * as it takes.
 */
export async function boundedWait<Value>(
  promise: Promise<Value>,
  milliseconds: number | undefined,
  givenUp = new AbortController().signal,
): Promise<Value> {
  let stop = () => {};
  const end = new Promise<never>((_, reject) => {
    const timeOut = (limit: number) =>
      reject(new GivenUp(`it did not end within ${limit / 1000} seconds`));
    const timer = milliseconds && setTimeout(timeOut, milliseconds, milliseconds);
    const give = () => reject(new GivenUp('it was still at work when the check was stopped'));
    givenUp.addEventListener('abort', give, { once: true });
    if (givenUp.aborted) give();
    stop = () => {
      clearTimeout(timer);
      givenUp.removeEventListener('abort', give);
    };
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    stop();
    // Whatever becomes of it: nobody waits for it any more.
    promise.catch(() => {});
  }
}

/** Nobody waits for it any more, and it may still do something. */
export class GivenUp extends Error {}
