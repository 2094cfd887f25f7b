import type { ReportIndex } from '../../report-data/report-data.js';

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
