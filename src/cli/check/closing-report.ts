import { plural } from '../../base/text.js';
import type { ResultTotals } from '../../results/schema/results-schema.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import type { EvalEnd, EvalStatus } from './eval-end.js';

type Format = Parameters<Style>[0];

const words: Record<EvalStatus, { word: string; format: Format }> = {
  passed: { word: 'passed', format: 'green' },
  failed: { word: 'failed', format: 'red' },
  interrupted: { word: 'interrupted', format: 'yellow' },
  'not-run': { word: 'not run', format: 'yellow' },
  'handed-over': { word: 'handed over', format: 'cyan' },
  skipped: { word: 'skipped', format: 'yellow' },
};

/** What is said last of a check of several evals. */
export function closingReport(ends: readonly EvalEnd[], control: boolean, style: Style): string {
  const width = Math.max(...ends.map(({ status }) => words[status].word.length));
  const lines = ends.map(({ name, file, status, reason, totals }) => {
    const { word, format } = words[status];
    const facts = reason ?? (totals ? countsText(totals, control) : 'there are no results');
    const what = `${terminalLine(name)} (${terminalLine(file)}): ${terminalLine(facts)}`;
    return `  ${style(format, word.padEnd(width))}  ${what}`;
  });
  const counts = Object.entries(words).flatMap(([status, { word }]) => {
    const count = ends.filter((end) => end.status === status).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const total = style('bold', `${plural(ends.length, 'eval')}: ${counts.join(', ')}`);
  return `${style('bold', 'Evals')}\n${lines.join('\n')}\n\n${total}\n`;
}

function countsText({ planned, outcomes }: ResultTotals, control: boolean): string {
  const outcome = control ? 'failed' : 'passed';
  const noun = plural(planned, 'task run');
  if (planned === 0) return 'no task runs';
  return `${outcomes[outcome]} of ${noun} ${outcome}${control ? ' without an agent, as they should' : ''}`;
}
