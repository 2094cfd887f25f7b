import { topLevelMembers } from '../events/json-members.js';

/** Where a value stands in a JSON text. */
export interface Span {
  start: number;
  end: number;
}

/** Finds the value at a path of keys in a valid JSON text. Of doubled keys the last counts. */
export function spanAt(text: string, path: readonly string[]): Span | undefined {
  let start = 0;
  let end = text.length;
  for (const key of path) {
    const value = text.slice(start, end);
    if (!/^\s*\{/.test(value)) return undefined;
    const member = topLevelMembers(value).findLast((candidate) => candidate.key === key);
    if (member === undefined) return undefined;
    end = start + member.end;
    start += member.start;
  }
  return { start, end };
}

/** The text of the value at a path, as it stands there. */
export function textAt(text: string, path: readonly string[]): string | undefined {
  const span = spanAt(text, path);
  return span && text.slice(span.start, span.end);
}

/** The same text with other values at some paths. Everything else stays as it is. */
export function replaceAt(
  text: string,
  replacements: readonly { path: readonly string[]; by: string }[],
): string {
  const edits = replacements.flatMap(({ path, by }) => {
    const span = spanAt(text, path);
    return span ? [{ ...span, by }] : [];
  });
  edits.sort((left, right) => right.start - left.start);
  return edits.reduce(
    (edited, { start, end, by }) => edited.slice(0, start) + by + edited.slice(end),
    text,
  );
}
