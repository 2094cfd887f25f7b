import { formatPercent } from '../../analysis/figure-text.js';
import type { RunsDecided } from '../../journal/run-events.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { terminalLine } from '../terminal/text.js';

/** With --runs auto: that a task needs no more runs, and what they came to. */
export function settledLine(decision: RunsDecided): string {
  const { passed, judged, interval, settled } = decision;
  const why = settled === 'width' ? 'ran often enough' : 'has had the most runs';
  const rate = interval
    ? `, which is ${formatPercent(interval.low)} to ${formatPercent(interval.high)}`
    : '';
  return terminalLine(`${formatTaskName(decision)} ${why}: ${passed} of ${judged} passed${rate}`);
}
