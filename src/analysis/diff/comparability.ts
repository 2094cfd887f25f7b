import { agentOfVariant } from '../../results/agent-of-variant.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord } from '../../results/results-header.js';
import { few } from './few.js';
import type { VariantPair } from './pair-variants.js';

/** What is compared with what. */
export interface ComparedSides {
  base: readonly ResultsFile[];
  current: readonly ResultsFile[];
  variants: readonly VariantPair[];
}

type Agent = NonNullable<AgentRecord>;

/** What of an agent must be alike on both sides, so that a difference is one of the server. */
const mustBeAlike: Record<string, (agent: Agent) => string | null> = {
  agents: agentName,
  models: ({ model }) => model ?? 'none named',
};

/** What may differ, and is worth knowing. */
const mayDiffer: Record<string, (agent: Agent) => string | null> = {
  'versions of the agent': ({ version }) => version ?? null,
};

/** Why results should not be compared: they differ in more than the server. */
export function differences(sides: ComparedSides): string[] {
  const evals = filesOf(sides).flatMap(({ header }) => header.eval?.name ?? []);
  return [...differing('evals', evals), ...differingAgents(mustBeAlike, sides)];
}

/** What is different, or cannot be known, and forbids nothing. */
export function doubts(sides: ComparedSides): string[] {
  const files = filesOf(sides);
  const judges = files.flatMap(({ header: { judge } }) =>
    judge ? [[agentName(judge), judge.model ?? ''].join(' ').trim()] : [],
  );
  const untold = files
    .filter(({ header }) => header.agent === null && header.variants.length === 0)
    .map(({ path }) => path);
  return [
    ...differingAgents(mayDiffer, sides),
    ...differingSettings(sides),
    ...differing('judges', judges),
    ...(untold.length === 0 ? [] : [`which agent and model it was is not told by ${few(untold)}`]),
    ...(shareEvaluation(sides)
      ? ['both sides hold the same evaluation: it is compared with itself']
      : []),
  ];
}

/** The agents of one variant are held against each other, and not those of different ones. */
function differingAgents(
  aspects: Record<string, (agent: Agent) => string | null>,
  sides: ComparedSides,
): string[] {
  return Object.entries(aspects).flatMap(([what, textOf]) =>
    comparedAgents(sides).flatMap(({ agents, of }) =>
      differing(
        `${what}${of}`,
        agents.flatMap((agent) => textOf(agent) ?? []),
      ),
    ),
  );
}

/** Notes that an agent has other settings or skills now. Digests do not say which; another agent has others anyway. */
function differingSettings(sides: ComparedSides): string[] {
  return comparedAgents(sides).flatMap(({ agents, of }) => {
    const count = (textOf: (agent: Agent) => string | null) =>
      new Set(agents.flatMap((agent) => textOf(agent) ?? [])).size;
    const isSame = Object.values(mustBeAlike).every((textOf) => count(textOf) <= 1);
    const isDiffering = isSame && count(({ settings }) => settings ?? null) > 1;
    return isDiffering ? [`different settings or skills of the agent${of}`] : [];
  });
}

function comparedAgents({ base, current, variants }: ComparedSides) {
  return variants.map((pair) => ({
    agents: [
      ...base.flatMap((file) => agentOfVariant(file.header, pair.base) ?? []),
      ...current.flatMap((file) => agentOfVariant(file.header, pair.current) ?? []),
    ],
    of: variants.length > 1 && pair.current !== null ? ` of variant ${pair.current}` : '',
  }));
}

function differing(what: string, values: readonly string[]): string[] {
  const different = [...new Set(values)];
  return different.length < 2 ? [] : [`different ${what}: ${few(different)}`];
}

function agentName({ name, type }: Agent): string {
  return name === type ? name : `${name} (${type})`;
}

function filesOf({ base, current }: ComparedSides): ResultsFile[] {
  return [...base, ...current];
}

/** What was done by one variant, and by another, is not the same although the evaluation is. */
function shareEvaluation({ base, current, variants }: ComparedSides): boolean {
  if (variants.every((pair) => pair.base !== pair.current)) return false;
  const known = new Set(base.flatMap(namesOf));
  return current.some((file) => namesOf(file).some((name) => known.has(name)));
}

function namesOf({ path, header }: ResultsFile): string[] {
  return header.evaluations.length > 0 ? header.evaluations : [path];
}
