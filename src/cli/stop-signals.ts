import { exitCodes } from '../base/errors.js';

/** Ctrl-C, a terminal that closes, or `kill`. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits to be stopped. The first signal lets what runs come to its end; the second ends it at once,
 * and whatever was started dies with the process.
 */
export function untilStopped(): { asked: Promise<Error | undefined>; now(failure: Error): void } {
  let stop: (failure?: Error) => void = () => {};
  const asked = new Promise<Error | undefined>((resolve) => {
    stop = resolve;
  });
  let isAsked = false;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isAsked) process.exit(exitCodes.interrupted);
      isAsked = true;
      stop();
    });
  }
  return { asked, now: (failure) => stop(failure) };
}

/** Calls the listener on each stop signal; the third ends the process at once. Returns how to unsubscribe. */
export function onStopSignal(listener: (times: number) => void): () => void {
  let times = 0;
  const onSignal = () => {
    times += 1;
    if (times > 2) process.exit(exitCodes.interrupted);
    listener(times);
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return () => {
    for (const signal of stopSignals) process.off(signal, onSignal);
  };
}

/** Runs work that a stop signal aborts. Undefined: it was stopped, and has undone what it had begun. */
export async function unlessStopped<Value>(
  work: (stop: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const stop = new AbortController();
  const unsubscribe = onStopSignal(() => stop.abort());
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    unsubscribe();
  }
}
