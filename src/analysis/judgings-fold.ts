import { Judgings, judgingInWords } from '../results/judging.js';
import type { ResultsFile } from '../results/results-file.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { boundedName } from './summary/bounded-text.js';
import type { UnlikeJudging } from './unlike-judging.js';

/** Finds tasks of a sample that were edited between their runs. */
export class JudgingsFold {
  readonly #byTask = new Map<string, Map<ResultsFile, Judgings>>();

  add(file: ResultsFile, { task, judging }: TaskRunRecord): void {
    const name = boundedName(task);
    const byFile = this.#byTask.get(name) ?? new Map<ResultsFile, Judgings>();
    this.#byTask.set(name, byFile);
    const judgings = byFile.get(file) ?? new Judgings();
    byFile.set(file, judgings);
    judgings.add(judging);
  }

  get unlike(): UnlikeJudging[] {
    return [...this.#byTask].flatMap(([task, byFile]) => {
      const all = [...byFile.values()];
      const changes = Judgings.changes(...all);
      if (changes.length === 0) return [];
      const text = judgingInWords(changes);
      return [{ task, changes, text, betweenFiles: isBetweenFiles(all) }];
    });
  }
}

/** Whether one file has a change that none holds in itself. */
function isBetweenFiles(all: readonly Judgings[]): boolean {
  const within = new Set(all.flatMap((each) => Judgings.changes(each)).map(({ text }) => text));
  return Judgings.changes(...all).some(({ text }) => !within.has(text));
}
