import type { PooledResults } from '../../results/read/pooled-results.js';
import type { ResultsFile } from '../../results/results-file.js';
import { boundName } from '../bounded-text.js';
import { areReruns, describeRerunTaskRuns, RerunsFold } from '../reruns.js';
import { describeUnfinished } from '../summary/caveats.js';
import { CompletenessFold, summarizeSource } from '../summary/completeness.js';
import {
  describeUnlikeNames,
  findDifferences,
  findDoubts,
  NotComparableError,
  pairVariants,
  type VariantPair,
} from './comparability.js';
import { makeHeadline } from './diff-wording.js';
import type { ResultsDiff } from './results-diff.js';
import { diffTasks, listOneSidedTasks } from './task-diffs.js';
import { listPairCaveats, pairTasks } from './task-pairs.js';
import { SideFold, type TaskTally } from './task-tally.js';
import { findToolChanges } from './tool-changes.js';
import { diffTotal } from './total-diff.js';

export interface DiffOptions {
  /** Compares also different evals, agents or models, with a caveat. */
  allowDifferent?: boolean;
}

/**
 * Compares results task by task, with one task run in memory at a time. Throws NotComparableError, and what
 * reading throws.
 */
export async function diffResults(
  base: PooledResults,
  current: PooledResults,
  { allowDifferent = false }: DiffOptions = {},
): Promise<ResultsDiff> {
  const variants = pairVariants(base.files, current.files);
  const sides = { base: base.files, current: current.files, variants };
  const different = [
    ...findDifferences(sides),
    ...describeRerunsOnOneSide(base.files, current.files),
  ];
  if (different.length > 0 && !allowDifferent) {
    throw new NotComparableError(
      `these results are not comparable: ${different.join('; ')}`,
      'compare runs of one eval, agent and model, or add --allow-different',
    );
  }
  const before = await foldSide(base, 'base');
  const now = await foldSide(current, 'current');
  const { pairs, added, removed } = pairTasks(renameVariant(before.tasks, variants), now.tasks);
  const isJudged = pairs.some((pair) => pair.base.judged > 0 && pair.current.judged > 0);
  if (!isJudged) throw makeNothingToCompareError(pairs.length);
  const [total, tasks] = [diffTotal(pairs), diffTasks(pairs)];
  return {
    headline: makeHeadline({ total, tasks }, added.length + removed.length),
    base: base.files.map(summarizeSource),
    current: current.files.map(summarizeSource),
    total,
    tasks,
    added: listOneSidedTasks(added),
    removed: listOneSidedTasks(removed),
    tools: findToolChanges(listServers(base.files), listServers(current.files)),
    caveats: [
      ...describeUnlikeNames(variants),
      ...different,
      ...before.caveats,
      ...now.caveats,
      ...findDoubts(sides),
      ...listPairCaveats(pairs),
    ],
  };
}

interface FoldedSide {
  tasks: readonly TaskTally[];
  caveats: string[];
}

async function foldSide(pooled: PooledResults, side: string): Promise<FoldedSide> {
  const fold = new SideFold();
  const evaluations = new CompletenessFold(pooled.files);
  const reruns = new RerunsFold(pooled.files);
  for await (const { file, taskRun } of pooled.taskRuns({ withoutCallResults: true })) {
    evaluations.add(file, taskRun);
    if (!reruns.leavesOut(file, taskRun)) fold.add(taskRun);
  }
  const unfinished = evaluations.unfinished.map((run) => `${side} is ${describeUnfinished(run)}`);
  const again = reruns.summary ? [`${side}: ${describeRerunTaskRuns(reruns.summary)}`] : [];
  return { tasks: fold.tasks, caveats: [...unfinished, ...again] };
}

function describeRerunsOnOneSide(
  base: readonly ResultsFile[],
  current: readonly ResultsFile[],
): string[] {
  if (areReruns(base) === areReruns(current)) return [];
  const [again, other] = areReruns(base) ? ['base', 'current'] : ['current', 'base'];
  return [`${again} ran only what did not pass before (--rerun-failed), ${other} did not`];
}

function renameVariant(
  tasks: readonly TaskTally[],
  variants: readonly VariantPair[],
): readonly TaskTally[] {
  const [only, ...others] = variants;
  if (!only || others.length > 0 || only.base === only.current) return tasks;
  const variant = only.current === null ? null : boundName(only.current);
  return tasks.map((tally) => ({ ...tally, variant }));
}

function makeNothingToCompareError(common: number): NotComparableError {
  if (common === 0) {
    return new NotComparableError(
      'base and current have no task in common',
      'give results of the same tasks',
    );
  }
  return new NotComparableError(
    'no task was judged on both sides: all others ended in errors, or were cancelled',
    'look at why: proctor summary RESULTS',
  );
}

function listServers(files: readonly ResultsFile[]) {
  return files.flatMap(({ header }) => header.mcpServers);
}
