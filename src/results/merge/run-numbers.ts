import type { ResultsSource } from '../results-schema.js';
import type { MergeTaskRun } from './merge-input.js';
import { compare, inOrderOfTime } from './merged-sources.js';

/** A task run in its place among all of its task. */
export interface NumberedTaskRun {
  taskRun: MergeTaskRun;
  run: number;
  runs: number;
}

/**
 * By task and run. The runs of shards keep their numbers; where evaluations did the same run of a
 * task, all of its runs are counted anew. Only what the evaluations first said decides, so that it
 * does not matter what was merged before.
 */
export function numberedTaskRuns(
  taskRuns: Iterable<MergeTaskRun>,
  sources: readonly ResultsSource[],
): NumberedTaskRun[] {
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  const byTask = new Map<string, MergeTaskRun[]>();
  for (const taskRun of taskRuns) {
    const { task, variant } = taskRun.summary;
    const key = JSON.stringify([task, variant]);
    const ofTask = byTask.get(key) ?? [];
    byTask.set(key, ofTask);
    ofTask.push(taskRun);
  }
  const startOf = ({ from: { id } }: MergeTaskRun) => ({
    id,
    startedAt: sourceOf.get(id)?.startedAt ?? null,
  });
  return [...byTask]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([, ofTask]) =>
      numbered(
        ofTask.sort(
          (one, other) =>
            inOrderOfTime(startOf(one), startOf(other)) || compare(one.from.run, other.from.run),
        ),
      ),
    );
}

function numbered(ofTask: readonly MergeTaskRun[]): NumberedTaskRun[] {
  const ownRuns = new Set(ofTask.map(({ from }) => from.run));
  if (ownRuns.size < ofTask.length) {
    return ofTask.map((taskRun, index) => ({ taskRun, run: index + 1, runs: ofTask.length }));
  }
  const runs = ofTask.reduce((most, { from }) => Math.max(most, from.run, from.runs), 1);
  return ofTask
    .map((taskRun) => ({ taskRun, run: taskRun.from.run, runs }))
    .sort((one, other) => compare(one.run, other.run));
}
