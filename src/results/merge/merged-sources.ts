import { createHash } from 'node:crypto';
import { joinLeftOut } from '../../journal/left-out.js';
import type { ResultsSource } from '../results-schema.js';

/** Each evaluation once, the earliest first. */
export function mergedSources(sources: readonly ResultsSource[]): ResultsSource[] {
  const byId = new Map<string, ResultsSource>();
  for (const source of sources) {
    const known = byId.get(source.id);
    if (!known || isLater(source, known)) byId.set(source.id, source);
  }
  return [...byId.values()].sort(inOrderOfTime);
}

/** Of two accounts of one evaluation the later counts; for the order of files nothing may be left. */
function isLater(one: ResultsSource, other: ResultsSource): boolean {
  const difference =
    one.resumed - other.resumed ||
    Number(one.finished) - Number(other.finished) ||
    (one.durationMs ?? 0) - (other.durationMs ?? 0);
  return difference === 0 ? JSON.stringify(one) > JSON.stringify(other) : difference > 0;
}

export function inOrderOfTime(
  one: Pick<ResultsSource, 'startedAt' | 'id'>,
  other: Pick<ResultsSource, 'startedAt' | 'id'>,
): number {
  return compare(one.startedAt ?? '', other.startedAt ?? '') || compare(one.id, other.id);
}

export function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What the sources say together, as results have it. */
export function headOfSources(sources: readonly ResultsSource[]) {
  const [first] = sources;
  const only = sources.length === 1 ? first : undefined;
  const durations = sources.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    proctor: firstOf(sources, 'proctor'),
    id: only?.id ?? idOf(sources),
    eval: firstOf(sources, 'eval'),
    journal: only?.journal ?? null,
    startedAt: firstOf(sources, 'startedAt'),
    durationMs: durations.length > 0 ? sum(durations) : null,
    agent: firstOf(sources, 'agent'),
    ...variantsOf(sources),
    judge: firstOf(sources, 'judge'),
    options: only?.options ?? {},
    environment: only?.environment ?? null,
    finished: sources.every(({ finished }) => finished),
    interrupted: sources.some(({ interrupted }) => interrupted),
    bailed: sources.some(({ bailed }) => bailed),
    budget: sources.find(({ budget }) => budget)?.budget ?? null,
    resumed: sum(sources.map(({ resumed }) => resumed)),
    ...leftOutOfSources(sources),
  };
}

function leftOutOfSources(sources: readonly ResultsSource[]): Pick<ResultsSource, 'leftOut'> {
  const leftOut = joinLeftOut(sources.map((source) => source.leftOut));
  return leftOut.count > 0 ? { leftOut } : {};
}

/** Each once; what is told of one in two ways is refused before. */
function variantsOf(sources: readonly ResultsSource[]): Pick<ResultsSource, 'variants'> {
  const byName = new Map(
    sources
      .flatMap(({ variants = [] }) => variants)
      .map((variant) => [variant.name, variant] as const)
      .sort(
        ([one, left], [other, right]) =>
          compare(one, other) || compare(JSON.stringify(left), JSON.stringify(right)),
      ),
  );
  return byName.size === 0 ? {} : { variants: [...byName.values()] };
}

/** As many as a single evaluation has. */
const maxWarnings = 100;

export function warningsOfSources(sources: readonly ResultsSource[]) {
  const all = sources.flatMap(({ warnings }) => warnings);
  const warnings = all.slice(0, maxWarnings);
  const more = sum(sources.map(({ moreWarnings }) => moreWarnings ?? 0));
  const moreWarnings = all.length - warnings.length + more;
  return { warnings, ...(moreWarnings > 0 && { moreWarnings }) };
}

function firstOf<Key extends keyof ResultsSource>(sources: readonly ResultsSource[], key: Key) {
  return sources.find((source) => source[key] !== null)?.[key] ?? null;
}

function idOf(sources: readonly ResultsSource[]): string {
  const ids = sources.map(({ id }) => id).sort();
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 16);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
