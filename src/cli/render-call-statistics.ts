import { formatShortDuration } from '../analysis/figure-text.js';
import type { CallStatistics } from '../results/call-statistics.js';
import type { Style } from './style.js';
import { displayWidth, terminalLine } from './terminal-text.js';

const maxName = 40;

const columns = ['server', 'name', 'calls', 'errors', 'p50', 'p95', 'arg tokens', 'result tokens'];
/** Those that hold text and not numbers. */
const leftAligned = 2;

/** A table with a line for each tool, resource and prompt that was used. */
export function renderCallStatistics(
  entries: CallStatistics[],
  style: Style,
  redact: (text: string) => string,
): string {
  // Before a name is cut: half of a secret would not be recognised.
  const rows = entries.map((entry) => rowOf({ ...entry, name: redact(entry.name) }));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
        return index < leftAligned ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd();
  return [style('bold', line(columns)), ...rows.map(line)].join('\n');
}

function rowOf(entry: CallStatistics): string[] {
  const { server, name, calls, errors, durations, tokens } = entry;
  const duration = (share: number) => {
    const found = durations.percentile(share);
    return found === undefined ? '-' : formatShortDuration(found);
  };
  return [
    cut(server),
    cut(name),
    String(calls),
    String(errors),
    duration(0.5),
    duration(0.95),
    String(tokens.args),
    String(tokens.result),
  ];
}

function cut(text: string): string {
  const line = terminalLine(text);
  return line.length <= maxName ? line : `${line.slice(0, maxName - 3)}...`;
}
