/** Waits for an event, but only so long; undefined: it has not come. */
export async function withTimeout<T>(
  milliseconds: number,
  event: Promise<T>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([event, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
