import { plural } from '../base/text.js';
import type { JudgingChange } from '../results/judging.js';

/** A task whose runs in one sample were not all judged alike: their rate is one of different things. */
export interface UnlikeJudging {
  task: string;
  /** From the first to later ones. */
  changes: JudgingChange[];
  /** The same in words. */
  text: string;
  /** True: one file judged it differently than another. False: a file holds both. */
  betweenFiles: boolean;
}

/** More tasks nobody reads; those that were edited alike come as one. */
const mostSentences = 5;

/** `remember is not judged alike in all files: the assertion callOrder is gone`. */
export function unlikeSentences(
  unlike: readonly Pick<UnlikeJudging, 'task' | 'text'>[],
  where: string,
): string[] {
  const byWords = new Map<string, string[]>();
  for (const { task, text } of unlike) {
    byWords.set(text, [...(byWords.get(text) ?? []), task]);
  }
  const groups = [...byWords];
  const sentences = groups.slice(0, mostSentences).map(([words, tasks]) => {
    const [first = ''] = tasks;
    const subject =
      tasks.length === 1 ? `${first} is` : `${first} and ${tasks.length - 1} more are`;
    return `${subject} not judged alike ${where}: ${words}`;
  });
  const rest = groups.slice(mostSentences).flatMap(([, tasks]) => tasks).length;
  if (rest === 0) return sentences;
  return [
    ...sentences,
    `${plural(rest, 'more task')} ${rest === 1 ? 'is' : 'are'} not judged alike ${where}`,
  ];
}

/** Of a sample, wherever the differences are. */
export function unlikeCaveats(unlike: readonly UnlikeJudging[]): string[] {
  return [
    ...unlikeSentences(
      unlike.filter(({ betweenFiles }) => betweenFiles),
      'in all files',
    ),
    ...unlikeSentences(
      unlike.filter(({ betweenFiles }) => !betweenFiles),
      'in all runs',
    ),
  ];
}
