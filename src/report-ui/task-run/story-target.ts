import { type ShownEntry, storyKey } from './story-keys.js';

interface StoryTarget {
  key: string;
  place: number;
}

/** The entry that a key leads to: its own, or of an assertion the first call that shows it. */
export function storyTarget(
  story: readonly ShownEntry[],
  key: string | null,
  marked: ReadonlySet<number>,
): StoryTarget | undefined {
  if (key === null) return undefined;
  const own = story.findIndex((entry) => storyKey(entry) === key);
  const place = own >= 0 ? own : story.findIndex((entry) => isOneOf(entry, marked));
  const entry = story[place];
  return entry ? { key: storyKey(entry), place } : undefined;
}

/** The call after or before a place of the story. */
export function neighbouringCall(
  story: readonly ShownEntry[],
  from: number | undefined,
  step: 1 | -1,
): string | undefined {
  const start = from ?? (step > 0 ? -1 : story.length);
  for (let place = start + step; place >= 0 && place < story.length; place += step) {
    const entry = story[place];
    if (entry?.kind === 'call') return storyKey(entry);
  }
  return undefined;
}

/** Whether an entry is one of these calls; 0 stands for tools of the agent's own. */
export function isOneOf(entry: ShownEntry, calls: ReadonlySet<number>): boolean {
  if (entry.kind === 'own-call') return calls.has(0);
  return entry.kind === 'call' && calls.has(entry.call.call);
}
