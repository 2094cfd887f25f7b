import type { ReportIndex } from '../../report-data/report-data.js';

export type Page = 'overview' | 'run' | 'tools' | 'compare' | 'unknown';

/** What the part of the address after `#` says. */
export interface Route {
  page: Page;
  /** Of a task run: which one, as in the address. */
  parts: string[];
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  const [name = '', ...parts] = path.replace(/^\//, '').split('/').map(decoded);
  return { page: pageOf(name, parts), parts, query: new URLSearchParams(rest.join('?')) };
}

export function formatHash(path: string, query?: URLSearchParams): string {
  const text = query?.toString() ?? '';
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

/** Half of a surrogate pair, which names from outside can have, is no text for an address. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pageOf(name: string, parts: string[]): Page {
  if (name === '') return 'overview';
  if (name === 'run' && parts.length >= 3) return 'run';
  return name === 'tools' || name === 'compare' ? name : 'unknown';
}

type IndexOfSets = Pick<ReportIndex, 'sources' | 'sets'>;

/** How an address names a set: by what was given, and by the variant of its matrix. */
export function setQuery({ sources, sets }: IndexOfSets, place: number): Record<string, string> {
  const { source = 0, variant = null } = sets[place] ?? {};
  return {
    ...(sources.length > 1 && { set: String(source) }),
    ...(variant !== null && { variant }),
  };
}

/** The set that an address names; the first one if it names none. */
export function setOfQuery({ sets }: IndexOfSets, query: URLSearchParams): number {
  const source = Number(query.get('set'));
  const variant = query.get('variant');
  const place = sets.findIndex(
    (set) => set.source === source && (variant === null || set.variant === variant),
  );
  return Math.max(place, 0);
}
