import { plural } from '../../config/plural.js';
import type { DiffVerdict, ResultsDiff } from './results-diff.js';

export interface Headline {
  tone: 'better' | 'worse' | 'mixed' | 'same';
  /** The answer in one sentence. */
  text: string;
}

/** Better, worse, or nothing that these runs could show. No task that got worse is hidden. */
export function headlineOf(diff: ResultsDiff): Headline {
  const { total, tasks } = diff;
  const count = (verdict: DiffVerdict) => tasks.filter((task) => task.verdict === verdict).length;
  const worse = count('regression');
  const better = count('improvement');
  const isWorse = total.verdict === 'regression' || worse > 0;
  const isBetter = total.verdict === 'improvement' || better > 0;
  if (isWorse && isBetter) {
    const parts = [partOf('worse', total.verdict === 'regression', worse)];
    parts.push(partOf('better', total.verdict === 'improvement', better));
    return { tone: 'mixed', text: parts.join(', and ') };
  }
  if (isWorse) {
    return { tone: 'worse', text: partOf('worse', total.verdict === 'regression', worse) };
  }
  if (isBetter) {
    return { tone: 'better', text: partOf('better', total.verdict === 'improvement', better) };
  }
  return { tone: 'same', text: 'no difference that these runs could show' };
}

function partOf(word: string, isTotal: boolean, tasks: number): string {
  const inTasks = tasks > 0 ? `in ${plural(tasks, 'task')}` : '';
  return `${word} ${[isTotal ? 'as a whole' : '', inTasks].filter(Boolean).join(' and ')}`;
}
