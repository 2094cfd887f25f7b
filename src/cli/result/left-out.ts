import { plural } from '../../base/text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import type { CommandIo } from '../io.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';

const mostShown = 5;

/** Says on stderr what was left out of files that were read: how much, and what stands where. */
export function showLeftOut(leftOut: readonly LeftOutOfFile[], io: CommandIo): void {
  const style = styleFor(io.stderr, io.environment);
  for (const { path, count, parts } of leftOut) {
    const shown = parts.slice(0, mostShown);
    const more = count - shown.length;
    const lines = [
      `${style('yellow', 'warning')} ${terminalLine(path)}: ${plural(count, 'part')} left out`,
      ...shown.map((part) => `  ${terminalLine(formatLeftOut(part))}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
    io.stderr.write(`${lines.join('\n')}\n`);
  }
}
