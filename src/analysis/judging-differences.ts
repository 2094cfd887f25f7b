import { plural } from '../base/text.js';
import { describeJudgingChanges, Judgings } from '../results/judging.js';
import type { ResultsFile } from '../results/results-file.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { boundName } from './bounded-text.js';
import type { UnlikeJudging } from './summary/summary.js';

/** Finds the tasks of a sample that were edited between their runs. */
export class JudgingsFold {
  readonly #byTask = new Map<string, Map<ResultsFile, Judgings>>();

  add(file: ResultsFile, { task, judging }: TaskRunRecord): void {
    const name = boundName(task);
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
      const text = describeJudgingChanges(changes);
      return [{ task, changes, text, betweenFiles: differBetweenFiles(all) }];
    });
  }
}

/** Whether some change is between files, and not within one of them. */
function differBetweenFiles(all: readonly Judgings[]): boolean {
  const withinFiles = new Set(
    all.flatMap((judgings) => Judgings.changes(judgings)).map(({ text }) => text),
  );
  return Judgings.changes(...all).some(({ text }) => !withinFiles.has(text));
}

/** Further sentences are only counted. Tasks that were edited alike share one. */
const maxSentences = 5;

/** `remember is not judged alike in all files: the assertion callOrder is gone`. */
export function describeUnlikeTasks(
  unlike: readonly Pick<UnlikeJudging, 'task' | 'text'>[],
  where: string,
): string[] {
  const byWords = new Map<string, string[]>();
  for (const { task, text } of unlike) {
    byWords.set(text, [...(byWords.get(text) ?? []), task]);
  }
  const groups = [...byWords];
  const sentences = groups.slice(0, maxSentences).map(([words, tasks]) => {
    const [first = ''] = tasks;
    const subject =
      tasks.length === 1 ? `${first} is` : `${first} and ${tasks.length - 1} more are`;
    return `${subject} not judged alike ${where}: ${words}`;
  });
  const rest = groups.slice(maxSentences).flatMap(([, tasks]) => tasks).length;
  if (rest === 0) return sentences;
  return [
    ...sentences,
    `${plural(rest, 'more task')} ${rest === 1 ? 'is' : 'are'} not judged alike ${where}`,
  ];
}

/** Describes the differences in a sample: between files, and within files. */
export function listUnlikeCaveats(unlike: readonly UnlikeJudging[]): string[] {
  return [
    ...describeUnlikeTasks(
      unlike.filter(({ betweenFiles }) => betweenFiles),
      'in all files',
    ),
    ...describeUnlikeTasks(
      unlike.filter(({ betweenFiles }) => !betweenFiles),
      'in all runs',
    ),
  ];
}
