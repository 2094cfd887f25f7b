import type { CallKind } from '../../config/files/assertion-items.js';
import type { CallTally } from '../evidence/call-tally.js';
import type { ItemSightings } from '../evidence/item-sightings.js';
import { callWords } from './call-words.js';

/** What the agent did in place of what it should have done: what came closest, else everything. */
export function whatHappened(
  kind: CallKind,
  tally: CallTally,
  missing: readonly ItemSightings[],
): string {
  const near = missing.find(({ nearest }) => nearest !== undefined);
  if (near) return `${missing.length === 1 ? 'it' : near.text} was ${near.nearest}`;
  const { done, none } = callWords[kind];
  return tally.count === 0 ? `the agent ${none}` : `the agent only ${done} ${tally.text}`;
}
