import type { PooledResults } from '../../results/pooled-results.js';
import type { ResultsFile } from '../../results/results-file.js';
import { areReruns, RerunsFold, rerunsSentence } from '../reruns-fold.js';
import { boundedName } from '../summary/bounded-text.js';
import { unfinishedSentence } from '../summary/caveats.js';
import { EvaluationsFold, sourceSummary } from '../summary/evaluations.js';
import { differences, doubts } from './comparability.js';
import { headlineOf } from './headline.js';
import { NotComparable } from './not-comparable.js';
import { pairCaveats } from './pair-caveats.js';
import { pairTasks } from './pair-tasks.js';
import { pairVariants, unlikeNames, type VariantPair } from './pair-variants.js';
import type { ResultsDiff } from './results-diff.js';
import { SideFold, type TaskTally } from './side-fold.js';
import { addedOrRemoved, taskDiffs } from './task-diffs.js';
import { toolChanges } from './tool-changes.js';
import { totalDiff } from './total-diff.js';

export interface DiffOptions {
  /** Also compare another eval, agent or model, and say so. */
  allowDifferent?: boolean;
}

/**
 * Compares results task by task, one task run in memory at a time. Throws NotComparable, and what
 * reading throws.
 */
export async function diffResults(
  base: PooledResults,
  current: PooledResults,
  { allowDifferent = false }: DiffOptions = {},
): Promise<ResultsDiff> {
  const variants = pairVariants(base.files, current.files);
  const sides = { base: base.files, current: current.files, variants };
  const different = [...differences(sides), ...rerunsOnOneSide(base.files, current.files)];
  if (different.length > 0 && !allowDifferent) {
    throw new NotComparable(
      `these results are not comparable: ${different.join('; ')}`,
      'compare runs of one eval, agent and model, or add --allow-different',
    );
  }
  const before = await foldOf(base, 'base');
  const now = await foldOf(current, 'current');
  const { pairs, added, removed } = pairTasks(
    asCurrentCallsThem(before.tasks, variants),
    now.tasks,
  );
  const isJudged = pairs.some((pair) => pair.base.judged > 0 && pair.current.judged > 0);
  if (!isJudged) throw nothingToCompare(pairs.length);
  const [total, tasks] = [totalDiff(pairs), taskDiffs(pairs)];
  return {
    headline: headlineOf({ total, tasks }),
    base: base.files.map(sourceSummary),
    current: current.files.map(sourceSummary),
    total,
    tasks,
    added: addedOrRemoved(added),
    removed: addedOrRemoved(removed),
    tools: toolChanges(serversOf(base.files), serversOf(current.files)),
    caveats: [
      ...unlikeNames(variants),
      ...different,
      ...before.caveats,
      ...now.caveats,
      ...doubts(sides),
      ...pairCaveats(pairs),
    ],
  };
}

interface FoldedSide {
  tasks: readonly TaskTally[];
  caveats: string[];
}

async function foldOf(pooled: PooledResults, side: string): Promise<FoldedSide> {
  const fold = new SideFold();
  const evaluations = new EvaluationsFold(pooled.files);
  const reruns = new RerunsFold(pooled.files);
  for await (const { file, taskRun } of pooled.taskRuns({ withoutCallResults: true })) {
    evaluations.add(file, taskRun);
    if (!reruns.leavesOut(file, taskRun)) fold.add(taskRun);
  }
  const unfinished = evaluations.unfinished.map((each) => `${side} is ${unfinishedSentence(each)}`);
  const again = reruns.summary ? [`${side}: ${rerunsSentence(reruns.summary)}`] : [];
  return { tasks: fold.tasks, caveats: [...unfinished, ...again] };
}

function rerunsOnOneSide(base: readonly ResultsFile[], current: readonly ResultsFile[]): string[] {
  if (areReruns(base) === areReruns(current)) return [];
  const [again, other] = areReruns(base) ? ['base', 'current'] : ['current', 'base'];
  return [`${again} ran only what did not pass before (--rerun-failed), ${other} did not`];
}

function asCurrentCallsThem(
  tasks: readonly TaskTally[],
  variants: readonly VariantPair[],
): readonly TaskTally[] {
  const [only, ...others] = variants;
  if (!only || others.length > 0 || only.base === only.current) return tasks;
  const variant = only.current === null ? null : boundedName(only.current);
  return tasks.map((tally) => ({ ...tally, variant }));
}

function nothingToCompare(common: number): NotComparable {
  if (common === 0) {
    return new NotComparable(
      'base and current have no task in common',
      'give results of the same tasks',
    );
  }
  return new NotComparable(
    'no task was judged on both sides: all others ended in errors, or were cancelled',
    'look at why: proctor summary RESULTS',
  );
}

function serversOf(files: readonly ResultsFile[]) {
  return files.flatMap(({ header }) => header.mcpServers);
}
