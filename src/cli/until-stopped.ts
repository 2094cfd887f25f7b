/** Ctrl-C, a terminal that closes, or `kill`. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** 128 + SIGINT, as shells have it. */
const interrupted = 130;

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
      if (isAsked) process.exit(interrupted);
      isAsked = true;
      stop();
    });
  }
  return { asked, now: (failure) => stop(failure) };
}
