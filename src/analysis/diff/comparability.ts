import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord, ResultsHeader } from '../../results/results-header.js';
import { boundedName } from '../summary/bounded-text.js';

/** What must be alike on both sides, so that a difference is one of the server. */
const mustBeAlike: Record<string, (header: ResultsHeader) => string | null> = {
  evals: (header) => header.eval?.name ?? null,
  agents: ({ agent }) => agent && agentName(agent),
  models: ({ agent }) => agent && (agent.model ?? 'none named'),
};

/** What may differ, and is worth knowing. */
const mayDiffer: Record<string, (header: ResultsHeader) => string | null> = {
  'versions of the agent': ({ agent }) => agent?.version ?? null,
  judges: ({ judge }) => judge && [agentName(judge), judge.model ?? ''].join(' ').trim(),
};

/** Why results should not be compared: they differ in more than the server. */
export function differences(files: readonly ResultsFile[]): string[] {
  return differing(mustBeAlike, files);
}

/** What is different, or cannot be known, and forbids nothing. */
export function doubts(base: readonly ResultsFile[], current: readonly ResultsFile[]): string[] {
  const files = [...base, ...current];
  const untold = files.filter(({ header }) => header.agent === null).map(({ path }) => path);
  return [
    ...differing(mayDiffer, files),
    ...(untold.length === 0 ? [] : [`which agent and model it was is not told by ${few(untold)}`]),
    ...(shareEvaluation(base, current)
      ? ['both sides hold the same evaluation: it is compared with itself']
      : []),
  ];
}

function differing(
  aspects: Record<string, (header: ResultsHeader) => string | null>,
  files: readonly ResultsFile[],
): string[] {
  return Object.entries(aspects).flatMap(([what, textOf]) => {
    const values = files.flatMap(({ header }) => textOf(header) ?? []);
    const different = [...new Set(values)];
    return different.length < 2 ? [] : [`different ${what}: ${few(different)}`];
  });
}

function agentName({ name, type }: NonNullable<AgentRecord>): string {
  return name === type ? name : `${name} (${type})`;
}

function shareEvaluation(base: readonly ResultsFile[], current: readonly ResultsFile[]): boolean {
  const known = new Set(base.flatMap(namesOf));
  return current.some((file) => namesOf(file).some((name) => known.has(name)));
}

function namesOf({ path, header }: ResultsFile): string[] {
  return header.evaluations.length > 0 ? header.evaluations : [path];
}

const mostNamed = 5;

export function few(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map(boundedName).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}
