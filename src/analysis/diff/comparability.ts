import { listVariants } from '../../results/read/variant-selection.js';
import type { ResultsFile } from '../../results/results-file.js';
import { type AgentRecord, findVariantAgent } from '../../results/results-header.js';
import { summarizeNames } from '../bounded-text.js';

/** The results cannot be compared, or differ in more than the server. */
export class NotComparableError extends Error {
  readonly code = 'not-comparable';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'NotComparableError';
    this.hint = hint;
  }
}

/** The two sides of a diff. */
export interface ComparedSides {
  base: readonly ResultsFile[];
  current: readonly ResultsFile[];
  variants: readonly VariantPair[];
}

type Agent = NonNullable<AgentRecord>;

/** Properties of an agent that have to be equal on both sides, so that differences are due to the server. */
const mustBeAlike: Record<string, (agent: Agent) => string | null> = {
  agents: formatAgent,
  models: ({ model }) => model ?? 'none named',
};

/** Properties of an agent that may differ, and are worth knowing. */
const mayDiffer: Record<string, (agent: Agent) => string | null> = {
  'versions of the agent': ({ version }) => version ?? null,
};

/** Why results should not be compared: differences other than the server. */
export function findDifferences(sides: ComparedSides): string[] {
  const evals = listFiles(sides).flatMap(({ header }) => header.eval?.name ?? []);
  return [
    ...describeDifferingValues('evals', evals),
    ...describeDifferingAgents(mustBeAlike, sides),
  ];
}

/** Differences, and what is not known, that do not prevent a comparison. */
export function findDoubts(sides: ComparedSides): string[] {
  const files = listFiles(sides);
  const judges = files.flatMap(({ header: { judge } }) =>
    judge ? [[formatAgent(judge), judge.model ?? ''].join(' ').trim()] : [],
  );
  const unknown = files
    .filter(({ header }) => header.agent === null && header.variants.length === 0)
    .map(({ path }) => path);
  return [
    ...describeDifferingAgents(mayDiffer, sides),
    ...describeDifferingSettings(sides),
    ...describeDifferingValues('judges', judges),
    ...(unknown.length === 0
      ? []
      : [`agent and model are not known for ${summarizeNames(unknown)}`]),
    ...(shareRun(sides) ? ['both sides hold the same evaluation: it is compared with itself'] : []),
  ];
}

/** Compares agents, variant by variant. */
function describeDifferingAgents(
  aspects: Record<string, (agent: Agent) => string | null>,
  sides: ComparedSides,
): string[] {
  return Object.entries(aspects).flatMap(([title, getText]) =>
    listComparedAgents(sides).flatMap(({ agents, suffix }) =>
      describeDifferingValues(
        `${title}${suffix}`,
        agents.flatMap((agent) => getText(agent) ?? []),
      ),
    ),
  );
}

/** Reports other settings or skills of an agent, of which only digests are known. Other agents differ anyway. */
function describeDifferingSettings(sides: ComparedSides): string[] {
  return listComparedAgents(sides).flatMap(({ agents, suffix }) => {
    const count = (getText: (agent: Agent) => string | null) =>
      new Set(agents.flatMap((agent) => getText(agent) ?? [])).size;
    const isSame = Object.values(mustBeAlike).every((getText) => count(getText) <= 1);
    const isDiffering = isSame && count(({ settings }) => settings ?? null) > 1;
    return isDiffering ? [`different settings or skills of the agent${suffix}`] : [];
  });
}

function listComparedAgents({ base, current, variants }: ComparedSides) {
  return variants.map((pair) => ({
    agents: [
      ...base.flatMap((file) => findVariantAgent(file.header, pair.base) ?? []),
      ...current.flatMap((file) => findVariantAgent(file.header, pair.current) ?? []),
    ],
    suffix: variants.length > 1 && pair.current !== null ? ` of variant ${pair.current}` : '',
  }));
}

function describeDifferingValues(title: string, values: readonly string[]): string[] {
  const different = [...new Set(values)];
  return different.length < 2 ? [] : [`different ${title}: ${summarizeNames(different)}`];
}

function formatAgent({ name, type }: Agent): string {
  return name === type ? name : `${name} (${type})`;
}

function listFiles({ base, current }: ComparedSides): ResultsFile[] {
  return [...base, ...current];
}

/** Whether both sides have a run in common; different variants of one run are different things. */
function shareRun({ base, current, variants }: ComparedSides): boolean {
  if (variants.every((pair) => pair.base !== pair.current)) return false;
  const known = new Set(base.flatMap(listRunIds));
  return current.some((file) => listRunIds(file).some((name) => known.has(name)));
}

function listRunIds({ path, header }: ResultsFile): string[] {
  return header.evaluations.length > 0 ? header.evaluations : [path];
}

/** Variants of both sides that are compared. Null: that side has no matrix. */
export interface VariantPair {
  base: string | null;
  current: string | null;
}

/**
 * Pairs variants by name. If each side has only one, these are compared whatever their names. Throws
 * NotComparableError if there is no pair.
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

/** Says which variants are compared if their names differ. */
export function describeUnlikeNames(pairs: readonly VariantPair[]): string[] {
  return pairs
    .filter(({ base, current }) => base !== current)
    .map(({ base, current }) =>
      [describeVariants('base', [base]), describeVariants('current', [current])].join(', and '),
    );
}

function describeVariants(side: string, variants: readonly (string | null)[]): string {
  const names = variants.filter((name) => name !== null);
  if (names.length === 0) return `${side} has no variants`;
  return names.length === 1
    ? `${side} is variant ${summarizeNames(names)}`
    : `${side} has the variants ${summarizeNames(names)}`;
}
