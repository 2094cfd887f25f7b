import { plural } from '../../base/text.js';
import type { DiffVerdict, Headline, ResultsDiff, TaskDiff } from './results-diff.js';
import { flipOf } from './task-notes.js';

/**
 * Better, worse, or nothing that these runs could show. No task that got worse is hidden, and none that is
 * judged differently counts as better.
 */
export function headlineOf({ total, tasks }: Pick<ResultsDiff, 'total' | 'tasks'>): Headline {
  const count = (verdict: DiffVerdict) => tasks.filter((task) => task.verdict === verdict).length;
  const worse = count('regression');
  const better = count('improvement');
  const isWorse = total.verdict === 'regression' || worse > 0;
  const isBetter = total.verdict === 'improvement' || better > 0;
  const parts = [
    ...(isWorse ? [partOf('worse', total.verdict === 'regression', worse)] : []),
    ...(isBetter ? [partOf('better', total.verdict === 'improvement', better)] : []),
  ];
  const edited = judgedDifferently(count('judged differently'));
  if (parts.length > 0) {
    const tone = isWorse && isBetter ? 'mixed' : isWorse ? 'worse' : 'better';
    return { tone, text: [parts.join(', and '), ...edited].join('; ') };
  }
  const flips = flipsOf(tasks);
  const open = [...flips, ...edited];
  if (open.length > 0) return { tone: 'open', text: open.join('; ') };
  return { tone: 'same', text: 'no difference that these runs could show' };
}

function judgedDifferently(tasks: number): string[] {
  return tasks === 0
    ? []
    : [`${plural(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} judged differently`];
}

/** What somebody sees who ran both once, though no test can rule out chance yet. */
function flipsOf(tasks: readonly TaskDiff[]): string[] {
  const worse = tasks.filter((task) => flipOf(task) === 'worse').length;
  // What passes by other assertions is no news of the server.
  const better = tasks.filter((task) => flipOf(task) === 'better' && task.judging.length === 0);
  const parts = [
    ...(worse > 0 ? [`passed then, fails now: ${plural(worse, 'task')}`] : []),
    ...(better.length > 0 ? [`failed then, passes now: ${plural(better.length, 'task')}`] : []),
  ];
  return parts.length === 0 ? [] : [...parts, 'too few runs to rule out chance'];
}

function partOf(word: string, isTotal: boolean, tasks: number): string {
  const inTasks = tasks > 0 ? `in ${plural(tasks, 'task')}` : '';
  return `${word} ${[isTotal ? 'as a whole' : '', inTasks].filter(Boolean).join(' and ')}`;
}
