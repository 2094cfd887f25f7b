import type { ReportIndex } from '../../report-data/report-data.js';

export type Page = 'overview' | 'run' | 'tools' | 'compare' | 'unknown';

/** The page and its state, as in the part of the address after `#`. */
export interface Route {
  page: Page;
  /** For a task run: the rest of the path, which names it. */
  parts: string[];
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  const [name = '', ...parts] = path.replace(/^\//, '').split('/').map(decodePart);
  return { page: findPage(name, parts), parts, query: new URLSearchParams(rest.join('?')) };
}

export function formatHash(path: string, query?: URLSearchParams): string {
  const text = query?.toString() ?? '';
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

/** Encodes a name for an address. Names can hold half a surrogate pair, which cannot be encoded. */
export function encodeName(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findPage(name: string, parts: string[]): Page {
  if (name === '') return 'overview';
  if (name === 'run' && parts.length >= 3) return 'run';
  return name === 'tools' || name === 'compare' ? name : 'unknown';
}

type IndexOfSets = Pick<ReportIndex, 'sources' | 'sets'>;

/** Query parameters that name a set: by its source, and by the variant of its matrix. */
export function formatSetQuery(
  { sources, sets }: IndexOfSets,
  place: number,
): Record<string, string> {
  const { source = 0, variant = null } = sets[place] ?? {};
  return {
    ...(sources.length > 1 && { set: String(source) }),
    ...(variant !== null && { variant }),
  };
}

/** Place of the set that a query names; the first one if it names none. */
export function findQueriedSet({ sets }: IndexOfSets, query: URLSearchParams): number {
  const source = Number(query.get('set'));
  const variant = query.get('variant');
  const place = sets.findIndex(
    (set) => set.source === source && (variant === null || set.variant === variant),
  );
  return Math.max(place, 0);
}
