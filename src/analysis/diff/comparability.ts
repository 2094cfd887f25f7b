import { listVariants } from '../../results/read/variant-selection.js';
import type { ResultsFile } from '../../results/results-file.js';
import { type AgentRecord, findVariantAgent } from '../../results/results-header.js';
import { summarizeNames } from '../bounded-text.js';

/** Results that say nothing about each other, or about something else than the server. */
export class NotComparableError extends Error {
  readonly code = 'not-comparable';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'NotComparable';
    this.hint = hint;
  }
}

/** What is compared with what. */
export interface ComparedSides {
  base: readonly ResultsFile[];
  current: readonly ResultsFile[];
  variants: readonly VariantPair[];
}

type Agent = NonNullable<AgentRecord>;

/** What of an agent must be alike on both sides, so that a difference is one of the server. */
const mustBeAlike: Record<string, (agent: Agent) => string | null> = {
  agents: formatAgent,
  models: ({ model }) => model ?? 'none named',
};

/** What may differ, and is worth knowing. */
const mayDiffer: Record<string, (agent: Agent) => string | null> = {
  'versions of the agent': ({ version }) => version ?? null,
};

/** Why results should not be compared: they differ in more than the server. */
export function findDifferences(sides: ComparedSides): string[] {
  const evals = listFiles(sides).flatMap(({ header }) => header.eval?.name ?? []);
  return [
    ...describeDifferingValues('evals', evals),
    ...describeDifferingAgents(mustBeAlike, sides),
  ];
}

/** What is different, or cannot be known, and forbids nothing. */
export function findDoubts(sides: ComparedSides): string[] {
  const files = listFiles(sides);
  const judges = files.flatMap(({ header: { judge } }) =>
    judge ? [[formatAgent(judge), judge.model ?? ''].join(' ').trim()] : [],
  );
  const untold = files
    .filter(({ header }) => header.agent === null && header.variants.length === 0)
    .map(({ path }) => path);
  return [
    ...describeDifferingAgents(mayDiffer, sides),
    ...describeDifferingSettings(sides),
    ...describeDifferingValues('judges', judges),
    ...(untold.length === 0
      ? []
      : [`which agent and model it was is not told by ${summarizeNames(untold)}`]),
    ...(shareRun(sides) ? ['both sides hold the same evaluation: it is compared with itself'] : []),
  ];
}

/** The agents of one variant are held against each other, and not those of different ones. */
function describeDifferingAgents(
  aspects: Record<string, (agent: Agent) => string | null>,
  sides: ComparedSides,
): string[] {
  return Object.entries(aspects).flatMap(([what, textOf]) =>
    listComparedAgents(sides).flatMap(({ agents, of }) =>
      describeDifferingValues(
        `${what}${of}`,
        agents.flatMap((agent) => textOf(agent) ?? []),
      ),
    ),
  );
}

/** Notes that an agent has other settings or skills now. Digests do not say which; another agent has others anyway. */
function describeDifferingSettings(sides: ComparedSides): string[] {
  return listComparedAgents(sides).flatMap(({ agents, of }) => {
    const count = (textOf: (agent: Agent) => string | null) =>
      new Set(agents.flatMap((agent) => textOf(agent) ?? [])).size;
    const isSame = Object.values(mustBeAlike).every((textOf) => count(textOf) <= 1);
    const isDiffering = isSame && count(({ settings }) => settings ?? null) > 1;
    return isDiffering ? [`different settings or skills of the agent${of}`] : [];
  });
}

function listComparedAgents({ base, current, variants }: ComparedSides) {
  return variants.map((pair) => ({
    agents: [
      ...base.flatMap((file) => findVariantAgent(file.header, pair.base) ?? []),
      ...current.flatMap((file) => findVariantAgent(file.header, pair.current) ?? []),
    ],
    of: variants.length > 1 && pair.current !== null ? ` of variant ${pair.current}` : '',
  }));
}

function describeDifferingValues(what: string, values: readonly string[]): string[] {
  const different = [...new Set(values)];
  return different.length < 2 ? [] : [`different ${what}: ${summarizeNames(different)}`];
}

function formatAgent({ name, type }: Agent): string {
  return name === type ? name : `${name} (${type})`;
}

function listFiles({ base, current }: ComparedSides): ResultsFile[] {
  return [...base, ...current];
}

/** What was done by one variant, and by another, is not the same although the evaluation is. */
function shareRun({ base, current, variants }: ComparedSides): boolean {
  if (variants.every((pair) => pair.base !== pair.current)) return false;
  const known = new Set(base.flatMap(listRunIds));
  return current.some((file) => listRunIds(file).some((name) => known.has(name)));
}

function listRunIds({ path, header }: ResultsFile): string[] {
  return header.evaluations.length > 0 ? header.evaluations : [path];
}

/** Variants of both sides that are held against each other. Null: that side has no matrix. */
export interface VariantPair {
  base: string | null;
  current: string | null;
}

/**
 * Variants belong together that have the same name. Where each side has only one, it is these two,
 * whatever they are called. Throws NotComparable if there is no pair.
 */
export function pairVariants(
  base: readonly ResultsFile[],
  current: readonly ResultsFile[],
): VariantPair[] {
  const before = listVariants(base);
  const now = listVariants(current);
  const [onlyBefore = null] = before;
  const [onlyNow = null] = now;
  if (before.length <= 1 && now.length <= 1) return [{ base: onlyBefore, current: onlyNow }];
  const common = before.filter((name) => now.includes(name));
  if (common.length > 0) return common.map((name) => ({ base: name, current: name }));
  throw new NotComparableError(
    `base and current have no variant in common: ${describeVariants('base', before)}, ${describeVariants('current', now)}`,
    'choose one on each side with --variant REGEX',
  );
}

/** Said where names alone do not tell what is compared. */
export function describeUnlikeNames(pairs: readonly VariantPair[]): string[] {
  return pairs
    .filter(({ base, current }) => base !== current)
    .map(({ base, current }) =>
      [describeVariants('base', [base]), describeVariants('current', [current])].join(', and '),
    );
}

function describeVariants(side: string, variants: readonly (string | null)[]): string {
  const names = variants.filter((name) => name !== null);
  if (names.length === 0) return `${side} is of no matrix`;
  return names.length === 1
    ? `${side} is variant ${summarizeNames(names)}`
    : `${side} has the variants ${summarizeNames(names)}`;
}
