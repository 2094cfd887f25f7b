import type { CheckOptions } from '../check-options.js';

/** Results that a check reads before it runs, and the option that names them. */
export interface EarlierResults {
  path: string;
  option: string;
}

/** What the check writes must not take their place. */
export function earlierResults({
  rerunFailed,
  shardDurations,
}: Pick<CheckOptions, 'rerunFailed' | 'shardDurations'>): EarlierResults[] {
  return [
    ...(rerunFailed === undefined ? [] : [{ path: rerunFailed, option: '--rerun-failed' }]),
    ...shardDurations.map((path) => ({ path, option: '--shard-durations' })),
  ];
}
