import { createHash } from 'node:crypto';
import { joinLeftOut } from '../../journal/left-out.js';
import type { ResultsSource } from '../schema/results-schema.js';

/** Keeps each run once, the earliest first. */
export function mergeSources(sources: readonly ResultsSource[]): ResultsSource[] {
  const byId = new Map<string, ResultsSource>();
  for (const source of sources) {
    const known = byId.get(source.id);
    if (!known || isLater(source, known)) byId.set(source.id, source);
  }
  return [...byId.values()].sort(compareByTime);
}

/** Whether a record of a run is the later one; a total order, so that the order of files does not matter. */
function isLater(one: ResultsSource, other: ResultsSource): boolean {
  const difference =
    one.resumed - other.resumed ||
    Number(one.finished) - Number(other.finished) ||
    (one.durationMs ?? 0) - (other.durationMs ?? 0);
  return difference === 0 ? JSON.stringify(one) > JSON.stringify(other) : difference > 0;
}

export function compareByTime(
  one: Pick<ResultsSource, 'startedAt' | 'id'>,
  other: Pick<ResultsSource, 'startedAt' | 'id'>,
): number {
  return (
    compareValues(one.startedAt ?? '', other.startedAt ?? '') || compareValues(one.id, other.id)
  );
}

export function compareValues<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The header of merged results. */
export function buildMergedHead(sources: readonly ResultsSource[]) {
  const [first] = sources;
  const only = sources.length === 1 ? first : undefined;
  const durations = sources.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    proctor: findFirstKnown(sources, 'proctor'),
    id: only?.id ?? computeMergedId(sources),
    eval: findFirstKnown(sources, 'eval'),
    journal: only?.journal ?? null,
    startedAt: findFirstKnown(sources, 'startedAt'),
    durationMs: durations.length > 0 ? sum(durations) : null,
    agent: findFirstKnown(sources, 'agent'),
    ...mergeVariants(sources),
    judge: findFirstKnown(sources, 'judge'),
    options: only?.options ?? {},
    environment: only?.environment ?? null,
    finished: sources.every(({ finished }) => finished),
    interrupted: sources.some(({ interrupted }) => interrupted),
    bailed: sources.some(({ bailed }) => bailed),
    budget: sources.find(({ budget }) => budget)?.budget ?? null,
    resumed: sum(sources.map(({ resumed }) => resumed)),
    ...joinLeftOutOfSources(sources),
  };
}

function joinLeftOutOfSources(sources: readonly ResultsSource[]): Pick<ResultsSource, 'leftOut'> {
  const leftOut = joinLeftOut(sources.map((source) => source.leftOut));
  return leftOut.count > 0 ? { leftOut } : {};
}

/** Lists each variant once; differing definitions were refused before. */
function mergeVariants(sources: readonly ResultsSource[]): Pick<ResultsSource, 'variants'> {
  const byName = new Map(
    sources
      .flatMap(({ variants = [] }) => variants)
      .map((variant) => [variant.name, variant] as const)
      .sort(
        ([one, left], [other, right]) =>
          compareValues(one, other) || compareValues(JSON.stringify(left), JSON.stringify(right)),
      ),
  );
  return byName.size === 0 ? {} : { variants: [...byName.values()] };
}

/** As many warnings as results of a single run have. */
const maxWarnings = 100;

export function mergeWarnings(sources: readonly ResultsSource[]) {
  const all = sources.flatMap(({ warnings }) => warnings);
  const warnings = all.slice(0, maxWarnings);
  const more = sum(sources.map(({ moreWarnings }) => moreWarnings ?? 0));
  const moreWarnings = all.length - warnings.length + more;
  return { warnings, ...(moreWarnings > 0 && { moreWarnings }) };
}

function findFirstKnown<Key extends keyof ResultsSource>(
  sources: readonly ResultsSource[],
  key: Key,
) {
  return sources.find((source) => source[key] !== null)?.[key] ?? null;
}

function computeMergedId(sources: readonly ResultsSource[]): string {
  const ids = sources.map(({ id }) => id).sort();
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 16);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
