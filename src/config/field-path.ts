/** Keys and indexes that lead into a JSON value. */
export type FieldPath = readonly (string | number)[];

const key = '[^.\\[\\]]+';
const digits = '[0-9]+';

/** Of paths as they are written in files, where an index may be a placeholder. */
export const fieldPathGrammar = grammarOf(`${digits}|\\{[^{}\\[\\]]+\\}`);

const resolvedPath = new RegExp(grammarOf(digits));
const segment = new RegExp(`\\[(${digits})\\]|(${key})`, 'g');

/** The parts of a path such as `data.items[0].id`; `data.0` has a key. Undefined if it is no path. */
export function parseFieldPath(path: string): FieldPath | undefined {
  if (!resolvedPath.test(path)) return undefined;
  return [...path.matchAll(segment)].map(([, index, name = '']) =>
    index === undefined ? name : Number(index),
  );
}

function grammarOf(index: string): string {
  return `^(${key}|\\[(${index})\\])(\\.${key}|\\[(${index})\\])*$`;
}
