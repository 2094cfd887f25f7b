import { describeJudgingChanges, type JudgingChange } from '../../results/judging.js';
import { listVariants } from '../../results/read/variant-selection.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord } from '../../results/results-header.js';
import { boundName } from '../bounded-text.js';
import { makePair } from '../diff/task-pairs.js';
import type { TaskTally } from '../diff/task-tally.js';
import type { RerunsSummary } from '../reruns.js';
import type { UnlikeJudging } from '../summary/summary.js';
import type { LeftOutTask } from './variant-comparison.js';

/** A participant of a comparison: a variant of a matrix, or results without one. */
export interface ComparedVariant {
  /** Name that no other one has. */
  name: string;
  /** The variant; null if there is no matrix. */
  variant: string | null;
  /** Files with its task runs: several if they share a run, such as results and their journal. */
  files: ResultsFile[];
  path: string;
  agent: AgentRecord;
  mcpConfigFile: string | null;
}

/** A compared variant with the tallies of its tasks, by name. */
export interface TalliedVariant extends ComparedVariant {
  tasks: ReadonlyMap<string, TaskTally>;
  reruns: RerunsSummary | null;
}

/** Lists the variants of files. Each file is on its own, unless another one has the same run. */
export function listComparedVariants(files: readonly ResultsFile[]): ComparedVariant[] {
  const unnamed = groupFilesByRun(files).flatMap((group) =>
    listVariants(group).map((variant) => makeUnnamedVariant(group, variant)),
  );
  const timesUsed = new Map<string | null, number>();
  for (const { name } of unnamed) timesUsed.set(name, (timesUsed.get(name) ?? 0) + 1);
  return unnamed.map((variant) => {
    const isDistinct = variant.name !== null && timesUsed.get(variant.name) === 1;
    const name = isDistinct && variant.name !== null ? variant.name : makeNameWithPath(variant);
    return { ...variant, name };
  });
}

type UnnamedVariant = Omit<ComparedVariant, 'name'> & { name: string | null };

function makeUnnamedVariant(files: ResultsFile[], variant: string | null): UnnamedVariant {
  const [first] = files;
  const path = first?.path ?? '';
  if (variant === null) {
    const agent = files.find(({ header }) => header.agent)?.header.agent ?? null;
    return { name: formatAgentName(agent), variant, files, path, agent, mcpConfigFile: null };
  }
  const record = files
    .flatMap(({ header }) => header.variants)
    .find(({ name }) => name === variant);
  return {
    name: boundName(variant),
    variant,
    files,
    path,
    agent: record?.agent ?? null,
    mcpConfigFile: record?.mcpConfigFile ?? null,
  };
}

/** The name of an agent in the form of names of variants. */
function formatAgentName(agent: AgentRecord): string | null {
  if (!agent) return null;
  return boundName([agent.name, agent.model].filter((part) => part !== undefined).join(' + '));
}

function makeNameWithPath({ variant, path }: UnnamedVariant): string {
  return boundName(variant === null ? path : `${variant} (${path})`);
}

/** Groups files that share a run. */
function groupFilesByRun(files: readonly ResultsFile[]): ResultsFile[][] {
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

export interface CommonTasks {
  /** Sorted by name, so that nothing depends on the order of files. */
  tasks: string[];
  leftOut: LeftOutTask[];
  /** Tasks that are judged differently for some variants, and how. */
  unlike: Pick<UnlikeJudging, 'task' | 'text'>[];
}

/**
 * Finds the tasks that all variants judged, and judged alike. Rates are comparable for these only: a variant that
 * did the easy tasks only, or was judged less strictly, looks better.
 */
export function findCommonTasks(
  variants: readonly Pick<TalliedVariant, 'name' | 'tasks'>[],
): CommonTasks {
  const all = [...new Set(variants.flatMap(({ tasks }) => [...tasks.keys()]))].sort();
  const found: CommonTasks = { tasks: [], leftOut: [], unlike: [] };
  for (const task of all) {
    const missing = variants.filter(({ tasks }) => (tasks.get(task)?.judged ?? 0) === 0);
    const changes = missing.length === 0 ? findVariantJudgingChanges(variants, task) : [];
    if (missing.length > 0) {
      found.leftOut.push({ task, missing: missing.map(({ name }) => name).sort() });
    } else if (changes.length > 0)
      found.unlike.push({ task, text: describeJudgingChanges(changes) });
    else found.tasks.push(task);
  }
  return found;
}

/** Finds differences in judging, in the order of the names, so that nothing depends on the order of files. */
function findVariantJudgingChanges(
  variants: readonly Pick<TalliedVariant, 'name' | 'tasks'>[],
  task: string,
): JudgingChange[] {
  const inOrder = variants.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [first, ...others] = inOrder.flatMap(({ tasks }) => tasks.get(task) ?? []);
  const changes = others.flatMap((other) => (first ? makePair(first, other).judging : []));
  return [...new Map(changes.map((change) => [change.text, change])).values()];
}
