import { parseDuration } from '../base/duration.js';

/** A step that says nothing of its own time has five minutes. */
export const defaultStepTimeoutMs = 5 * 60_000;

export function stepTimeoutMs({ timeout }: { timeout?: string }): number {
  const parsed = timeout === undefined ? undefined : parseDuration(timeout);
  return parsed?.ok ? parsed.milliseconds : defaultStepTimeoutMs;
}
