/**
 * mcpchecker has no journal, and so no numbers of events. Those that records need are made up: the
 * first is of the task run as a whole, which is all that can be named as evidence, and what happened in
 * it has the numbers after that.
 */
export const numberOfTaskRun = 1;

/** `place`: from 0, among those of its kind. */
export function numberOfEntry(place: number): number {
  return numberOfTaskRun + 1 + place;
}
