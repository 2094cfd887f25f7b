import { parseHash } from './hash.js';

let last = '#/';

export function noteOverview(hash: string): void {
  if (parseHash(hash).page === 'overview') last = hash === '' ? '#/' : hash;
}

/** The overview as it was left, with its filters. */
export function lastOverview(): string {
  return last;
}
