const entriesInPart = 100;
/** So few are shown at once. */
const partsAtOnce = 3;

export interface StoryPart {
  /** Of the first entry, and of the one after the last. */
  start: number;
  end: number;
}

/** A long story in parts: a browser cannot hold thousands of open entries. */
export function storyParts(entries: number): StoryPart[] {
  return Array.from({ length: Math.ceil(entries / entriesInPart) }, (_, part) => ({
    start: part * entriesInPart,
    end: Math.min((part + 1) * entriesInPart, entries),
  }));
}

/** The beginning and the end, where what matters mostly stands. */
export function isOpenAtFirst(part: number, parts: number): boolean {
  return parts <= partsAtOnce || part === 0 || part === parts - 1;
}
