/** A part of a file that a reader left out, because something else was expected there. */
export interface LeftOut {
  /** A line (`line 17`) or a JSON path (`taskRuns[2].outcome`). */
  place: string;
  expected: string;
  found: string;
}

/** What was left out of a file: the first parts, and how many there are in all. */
export interface LeftOutParts {
  count: number;
  parts: LeftOut[];
}

/** How many parts are kept: more than a person reads. */
const maxKept = 20;

/** Collects what a reader leaves out. However much it is, memory holds the first parts only. */
export class LeftOutList implements LeftOutParts {
  readonly parts: LeftOut[] = [];
  count = 0;

  add(part: LeftOut): void {
    this.count += 1;
    if (this.parts.length < maxKept) this.parts.push(part);
  }
}

/** What several readings left out, together. */
export function joinLeftOut(all: readonly (LeftOutParts | undefined)[]): LeftOutParts {
  const known = all.flatMap((parts) => parts ?? []);
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    parts: known.flatMap(({ parts }) => parts).slice(0, maxKept),
  };
}

export function formatLeftOut({ place, expected, found }: LeftOut): string {
  return `${place}: expected ${expected}, found ${found}`;
}

const maxTextLength = 60;

/** Describes a value that was found, in a few words: it may be of any size and depth. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const isLong = value.length > maxTextLength;
    return JSON.stringify(isLong ? `${value.slice(0, maxTextLength)}…` : value);
  }
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.keys(value).length === 0 ? '{}' : 'an object';
}
