import { onStopSignal } from './until-stopped.js';

/** Undefined if somebody stopped it: then it has taken back what it had half done. */
export async function unlessStopped<Value>(
  work: (stop: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  }
}
