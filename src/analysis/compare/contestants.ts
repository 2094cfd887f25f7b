import { variantsIn } from '../../results/chosen-variants.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord } from '../../results/results-header.js';
import type { TaskTally } from '../diff/side-fold.js';
import type { RerunsSummary } from '../reruns-fold.js';
import { boundedName } from '../summary/bounded-text.js';

/** Who takes part: a variant of a matrix, or results without one. */
export interface Contestant {
  /** Tells it from the others. */
  name: string;
  /** Null: there is no matrix. */
  variant: string | null;
  /** Several files tell of one evaluation, such as its results and its journal. */
  files: ResultsFile[];
  path: string;
  agent: AgentRecord;
  mcpConfigFile: string | null;
}

/** A contestant with its runs, by the name of the task. */
export interface TalliedContestant extends Contestant {
  tasks: ReadonlyMap<string, TaskTally>;
  reruns: RerunsSummary | null;
}

/** Everybody in these files. Each file stands for itself, unless another tells of the same evaluation. */
export function contestantsOf(files: readonly ResultsFile[]): Contestant[] {
  const unnamed = filesByEvaluation(files).flatMap((group) =>
    variantsIn(group).map((variant) => unnamedContestant(group, variant)),
  );
  const timesUsed = new Map<string | null, number>();
  for (const { name } of unnamed) timesUsed.set(name, (timesUsed.get(name) ?? 0) + 1);
  return unnamed.map((each) => {
    const isDistinct = each.name !== null && timesUsed.get(each.name) === 1;
    return { ...each, name: isDistinct && each.name !== null ? each.name : nameWithPath(each) };
  });
}

type Unnamed = Omit<Contestant, 'name'> & { name: string | null };

function unnamedContestant(files: ResultsFile[], variant: string | null): Unnamed {
  const [first] = files;
  const path = first?.path ?? '';
  if (variant === null) {
    const agent = files.find(({ header }) => header.agent)?.header.agent ?? null;
    return { name: agentInWords(agent), variant, files, path, agent, mcpConfigFile: null };
  }
  const record = files
    .flatMap(({ header }) => header.variants)
    .find(({ name }) => name === variant);
  return {
    name: boundedName(variant),
    variant,
    files,
    path,
    agent: record?.agent ?? null,
    mcpConfigFile: record?.mcpConfigFile ?? null,
  };
}

/** As a matrix would call it. */
function agentInWords(agent: AgentRecord): string | null {
  if (!agent) return null;
  return boundedName([agent.name, agent.model].filter((part) => part !== undefined).join(' + '));
}

function nameWithPath({ variant, path }: Unnamed): string {
  return boundedName(variant === null ? path : `${variant} (${path})`);
}

/** Files that share an evaluation are of one thing. */
function filesByEvaluation(files: readonly ResultsFile[]): ResultsFile[][] {
  let groups: ResultsFile[][] = [];
  for (const file of files) {
    const ids = new Set(file.header.evaluations);
    const isRelated = (group: readonly ResultsFile[]) =>
      group.some(({ header }) => header.evaluations.some((id) => ids.has(id)));
    const related = groups.filter(isRelated);
    groups = [...groups.filter((group) => !isRelated(group)), [...related.flat(), file]];
  }
  return groups;
}
