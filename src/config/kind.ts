import { shown } from './check-shape.js';
import type { Problems } from './problem.js';
import type { DataFile, NamedBy } from './read-data-file.js';

export type Kind = 'Eval' | 'Agent' | 'Task';

export function kindOf(data: unknown): unknown {
  return isMap(data) ? data.kind : undefined;
}

export function isMap(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Says so once, at the `kind`, instead of listing every key that another kind would have. */
export function checkKind(
  { source, data }: DataFile,
  wanted: Kind,
  problems: Problems,
  namedBy?: NamedBy,
): boolean {
  const kind = kindOf(data);
  if (kind === wanted) return true;
  if (!isMap(data)) {
    problems.atValue(source, [], 'wrong-kind', `expected kind ${wanted}, found ${shown(data)}`);
  } else if (kind === undefined || kind === null) {
    problems.atKey(source, [], 'wrong-kind', `kind is missing: expected kind: ${wanted}`);
  } else {
    const article = wanted === 'Task' ? 'a' : 'an';
    const needs = namedBy ? `: ${placeOf(namedBy)} needs ${article} ${wanted}` : '';
    problems.atValue(
      source,
      ['kind'],
      'wrong-kind',
      `expected kind ${wanted}, found ${shown(kind)}${needs}`,
    );
  }
  return false;
}

function placeOf({ file, path }: NamedBy): string {
  return `${file.name}:${file.keyLine(path)}`;
}
