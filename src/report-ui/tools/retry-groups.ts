import type { Retry } from '../../analysis/tools/tool-usage.js';

/** Retries that changed the same arguments after the same error. */
export interface RetryGroup {
  changed: string[];
  error: string;
  worked: number;
  retries: Retry[];
}

/** The most frequent first: one mistake is mostly made again and again. */
export function retryGroups(retries: readonly Retry[]): RetryGroup[] {
  const groups = new Map<string, RetryGroup>();
  for (const retry of retries) {
    const { changed, error } = retry;
    const key = JSON.stringify([changed, error]);
    const group = groups.get(key) ?? { changed, error, worked: 0, retries: [] };
    group.retries.push(retry);
    if (retry.worked) group.worked++;
    groups.set(key, group);
  }
  return [...groups.values()].sort((left, right) => right.retries.length - left.retries.length);
}
