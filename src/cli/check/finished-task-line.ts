import { formatShortDuration } from '../../analysis/figure-text.js';
import type { Style } from '../terminal/output.js';
import { effort } from './amounts.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import { cutToWidth, fittedLine, measurableLine, padToWidth } from './fitted-line.js';
import { outcomeText } from './outcome-text.js';
import type { Signs } from './signs.js';

export interface LineStyle {
  columns: number;
  /** Of the column with the tasks' names. */
  nameWidth: number;
  style: Style;
  signs: Signs;
  control: boolean;
}

/** A task with the runs of it that are over, in one line. */
export function finishedTaskLine(
  runs: readonly FinishedTaskRun[],
  total: number,
  look: LineStyle,
): string {
  const { columns, nameWidth, style, signs, control } = look;
  const worst = runs.find(({ outcome }) => outcome !== 'passed') ?? runs[0];
  if (!worst) return '';
  const { format, sign, word } = outcomeText(worst.outcome, control);
  const passed = runs.filter(({ outcome }) => outcome === 'passed').length;
  const time = runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / runs.length;
  const why = worst.failure && !control ? worst.failure.category : word;
  return fittedLine(
    [
      { text: `${signs[sign]} `, format },
      { text: padToWidth(cutToWidth(measurableLine(worst.task), nameWidth, signs.cut), nameWidth) },
      { text: `  ${passed}/${total}`, format },
      ...(worst.outcome === 'passed' && !control ? [] : [{ text: `  ${why}`, format }]),
      { text: `  ${formatShortDuration(time)}${runs.length > 1 ? ' each' : ''}`, format: 'dim' },
      { text: `  ${effort(runs)}`, format: 'dim' },
    ],
    columns,
    signs.cut,
    style,
  );
}
